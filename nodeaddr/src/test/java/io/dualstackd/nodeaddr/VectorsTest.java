package io.dualstackd.nodeaddr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import io.dualstackd.nodeaddr.Vectors.Case;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything in {@code vectors.json}. */
final class VectorsTest {
    @Test
    void everySectionIsTested() {
        assertThat(Vectors.all().keySet())
                .isEqualTo(Set.of(
                        "format",
                        "nodeIps",
                        "nodeIpFlag",
                        "annotation",
                        "flags",
                        "primary",
                        "cloudFilter",
                        "order",
                        "builtIn",
                        "detect",
                        "status"));
    }

    static Stream<Case> nodeIps() {
        return Vectors.section("nodeIps");
    }

    @ParameterizedTest
    @MethodSource
    void nodeIps(Case each) {
        ThrowingCallable call =
                () -> assertThat(NodeIps.parse(each.text("text"))).hasToString(each.text("means"));
        check(each, call);
    }

    static Stream<Case> nodeIpFlag() {
        return Vectors.section("nodeIpFlag");
    }

    @ParameterizedTest
    @MethodSource
    void nodeIpFlag(Case each) {
        check(
                each,
                () -> assertThat(LegacyNodeIp.parse(each.text("text"), each.text("cloudProvider")))
                        .isEqualTo(new LegacyNodeIp(ips(each.texts("ips")), each.texts("ignored"))));
    }

    static Stream<Case> annotation() {
        return Vectors.section("annotation");
    }

    @ParameterizedTest
    @MethodSource
    void annotation(Case each) {
        check(
                each,
                () -> assertThat(LegacyNodeIp.parseAnnotation(each.text("text")))
                        .isEqualTo(new LegacyNodeIp(ips(each.texts("ips")), List.of())));
    }

    static Stream<Case> flags() {
        return Vectors.section("flags");
    }

    @ParameterizedTest
    @MethodSource
    void flags(Case each) {
        check(
                each,
                () -> assertThat(NodeIpFlags.read(each.optional("nodeIps"), each.optional("nodeIp"), "")
                                .wanted())
                        .hasToString(each.text("wanted")));
    }

    static Stream<Case> primary() {
        return Vectors.section("primary");
    }

    @ParameterizedTest
    @MethodSource
    void primary(Case each) {
        NodeAddresses addresses = NodeAddresses.of(each.addresses("addresses"));
        assertThat(addresses.nodeIps()).isEqualTo(ips(each.texts("nodeIps")));
        assertThat(addresses.primary()).isEqualTo(addresses.nodeIps().stream().findFirst());
    }

    static Stream<Case> cloudFilter() {
        return Vectors.section("cloudFilter");
    }

    @ParameterizedTest
    @MethodSource
    void cloudFilter(Case each) {
        check(
                each,
                () -> assertThat(CloudAddresses.filter(
                                each.addresses("provided"), LegacyNodeIp.parseAnnotation(each.text("annotation"))))
                        .isEqualTo(each.addresses("expected")));
    }

    static Stream<Case> order() {
        return Vectors.section("order");
    }

    @ParameterizedTest
    @MethodSource
    void order(Case each) {
        check(each, () -> {
            NodeAddresses ordered =
                    CloudAddresses.order(each.addresses("provided"), NodeIps.parse(each.text("nodeIps")));
            assertThat(ordered.addresses()).isEqualTo(each.addresses("expected"));
            assertThat(ordered.nodeIps()).isEqualTo(ips(each.texts("primaryThenSecondary")));
            assertThat(ordered.warnings()).hasSize((int) each.number("warnings", 0));
        });
    }

    static Stream<Case> builtIn() {
        return Vectors.section("builtIn");
    }

    @ParameterizedTest
    @MethodSource
    void builtIn(Case each) {
        check(
                each,
                () -> assertThat(CloudAddresses.order(
                                        each.addresses("provided"), LegacyNodeIp.parse(each.text("nodeIp"), "gce"))
                                .addresses())
                        .isEqualTo(each.addresses("expected")));
    }

    static Stream<Case> detect() {
        return Vectors.section("detect");
    }

    @ParameterizedTest
    @MethodSource
    void detect(Case each) {
        Optional<NodeAddresses> found = Optional.empty();
        List<PassedOver> passedOver;
        try {
            NodeAddresses addresses = Detection.detect(each.host(), each.names(), NodeIps.parse(each.text("nodeIps")));
            found = Optional.of(addresses);
            passedOver = addresses.passedOver();
        } catch (NodeAddressException e) {
            assertThat(e).hasMessageContaining(each.optional("error").orElse("no error at all"));
            passedOver = e.passedOver();
        }
        assertThat(found.isEmpty()).isEqualTo(each.optional("error").isPresent());
        found.ifPresent(addresses -> {
            assertThat(addresses.addresses())
                    .isEqualTo(Stream.concat(
                                    ips(each.texts("expected")).stream().map(NodeAddress::internal),
                                    Stream.of(NodeAddress.hostname(each.names().hostname())))
                            .toList());
            assertThat(addresses.warnings()).hasSize((int) each.number("warnings", 0));
        });
        Map<String, String> reasons = new TreeMap<>();
        passedOver.forEach(p -> reasons.put(p.candidate(), p.reason()));
        each.map("passedOver")
                .forEach((candidate, reason) -> assertThat(reasons)
                        .hasEntrySatisfying(
                                candidate, actual -> assertThat(actual).contains(reason)));
    }

    static Stream<Case> status() {
        return Vectors.section("status");
    }

    @ParameterizedTest
    @MethodSource
    void status(Case each) {
        NodeStatus before = new NodeStatus(
                each.addresses("addresses"),
                each.optional("annotation")
                        .map(text -> Map.of(LegacyNodeIp.ANNOTATION, text))
                        .orElse(Map.of()));
        Optional<NodeIps> given = each.optional("nodeIp")
                .flatMap(text -> LegacyNodeIp.parse(text, "").nodeIps());
        check(each, () -> {
            NodeStatus next = before.next(given, each.flag("externalCloud", false), each.names(), each.host());
            assertThat(next.addresses()).isEqualTo(each.addresses("expected"));
            assertThat(Optional.ofNullable(next.annotations().get(LegacyNodeIp.ANNOTATION)))
                    .isEqualTo(each.optional("expectedAnnotation"));
        });
    }

    private static void check(Case each, ThrowingCallable call) {
        Optional<String> error = each.optional("error");
        if (error.isPresent()) {
            assertThatThrownBy(call)
                    .isInstanceOfAny(IllegalArgumentException.class, NodeAddressException.class)
                    .hasMessageContaining(error.get());
        } else {
            try {
                call.call();
            } catch (AssertionError e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(each.toString(), e);
            }
        }
    }

    private static List<Ip> ips(List<String> texts) {
        return texts.stream().map(Ip::parse).toList();
    }
}
