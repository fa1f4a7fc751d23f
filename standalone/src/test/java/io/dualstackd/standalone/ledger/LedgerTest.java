package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.LedgerFixture.cidr;
import static io.dualstackd.standalone.ledger.LedgerFixture.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What files say becomes Services with numbers, and what becomes of them. */
final class LedgerTest {
    @Test
    void aServiceGetsAnAddressOfEachFamilyItHas() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("one"), yaml("two", "ipFamilyPolicy: PreferDualStack"));
        assertThat(fixture.ips("one")).hasSize(1).allMatch(ip -> ip.startsWith("10.96.0."));
        assertThat(fixture.ips("two")).hasSize(2);
        assertThat(fixture.ips("two").get(1)).startsWith("fd00:96::");
        for (String ip : fixture.ips("two")) {
            assertThat(fixture.ledger().find(new IpAddress(Ip.parse(ip), IpAddress.Parent.service("", ""), true).key()))
                    .hasValueSatisfying(entry -> assertThat(((Entry.AddressEntry) entry).address())
                            .isEqualTo(new IpAddress(Ip.parse(ip), IpAddress.Parent.service("shop", "two"), true)));
        }
    }

    /** One family or both, each first on a node whose first family is IPv4, and on one where it is IPv6. */
    @ParameterizedTest
    @ValueSource(strings = {"10.96.0.0/24,fd00:96::/112", "fd00:96::/112,10.96.0.0/24"})
    void theOrderOfFamiliesIsThatOfTheAddresses(String ranges) {
        LedgerFixture fixture = new LedgerFixture(ranges);
        fixture.apply(
                yaml("four", "ipFamilies: [IPv4]"),
                yaml("six", "ipFamilies: [IPv6]"),
                yaml("four-six", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv4, IPv6]"),
                yaml("six-four", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv6, IPv4]"),
                yaml("usual", "ipFamilyPolicy: PreferDualStack"));
        assertThat(families(fixture, "four")).isEqualTo("4");
        assertThat(families(fixture, "six")).isEqualTo("6");
        assertThat(families(fixture, "four-six")).isEqualTo("46");
        assertThat(families(fixture, "six-four")).isEqualTo("64");
        assertThat(families(fixture, "usual")).isEqualTo(ranges.startsWith("10") ? "46" : "64");
    }

    private static String families(LedgerFixture fixture, String name) {
        return fixture.ips(name).stream()
                .map(ip -> ip.startsWith("10.96.0.") ? "4" : ip.startsWith("fd00:96::") ? "6" : ip)
                .collect(Collectors.joining());
    }

    private static String nodePort(String name, int port) {
        return yaml(name, "type: NodePort").replace("- port: 80", "- {port: 80, nodePort: " + port + "}");
    }

    @Test
    void aNodePortOutsideTheRangeIsNotWaitedFor() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(nodePort("first", 30001));
        fixture.apply(
                nodePort("below", 99),
                nodePort("second", 30001),
                yaml("health", "type: LoadBalancer", "externalTrafficPolicy: Local", "healthCheckNodePort: 99"));
        Map<String, Boolean> waits = new TreeMap<>();
        fixture.ledger().refused().forEach((key, refusal) -> waits.put(key.name(), refusal.waits()));
        assertThat(waits).isEqualTo(Map.of("below", false, "health", false, "second", true));
    }

    @Test
    void repeatedUpdateChangesNothing() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        String text = yaml("web", "type: NodePort", "ipFamilyPolicy: RequireDualStack");
        fixture.apply(text);
        assertThat(fixture.apply(text)).isEmpty();
        fixture.restart();
        assertThat(fixture.apply(text)).isEmpty();
        assertThat(fixture.ledger().unsaid(key -> false)).isEmpty();
    }

    @Test
    void addressesStayOverARestartAndComeFreeWithTheService() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: 10.96.0.80"));
        fixture.restart();
        fixture.apply(yaml("thief", "clusterIP: 10.96.0.80"));
        assertThat(fixture.ips("thief")).isEmpty();
        assertThat(fixture.refusal("thief"))
                .isEqualTo("spec.clusterIPs[0]: \"10.96.0.80\": failed to allocate it: 10.96.0.80 is already allocated"
                        + " to Service shop/web");
        fixture.delete("web");
        assertThat(fixture.ips("thief")).containsExactly("10.96.0.80");
        assertThat(fixture.refusal("thief")).isEmpty();
    }

    @Test
    void servicesWithFixedAddressesAreAllocatedFirst() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/30");
        fixture.apply(yaml("a"), yaml("b"), yaml("z", "clusterIP: 10.96.0.1"));
        assertThat(fixture.ips("z")).containsExactly("10.96.0.1");
        assertThat(fixture.ips("a")).containsExactly("10.96.0.2");
        assertThat(fixture.refusal("b")).contains("no IPv4 address is free");
        fixture.apply(cidr("more", "10.97.0.0/30"));
        assertThat(fixture.ips("b")).hasSize(1);
    }

    @Test
    void aRefusalTakesNothing() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/24,fd00:96::/112");
        fixture.apply(yaml("web", "type: NodePort"));
        int port = fixture.nodePorts("web").getFirst();
        String wish = yaml("other", "type: NodePort", "ipFamilyPolicy: RequireDualStack")
                .replace("- port: 80", "- port: 80\n    nodePort: " + port);
        fixture.apply(wish);
        assertThat(fixture.refusal("other")).contains("is already allocated to Service shop/web");
        assertThat(fixture.ledger().ranges())
                .allSatisfy(fill -> assertThat(fill.used())
                        .isEqualTo(fill.network().toString().equals("10.96.0.0/24") ? 1 : 0));
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(1);
    }

    @Test
    void aNodePortIsTakenInBothFamilies() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/24,fd00:96::/112");
        fixture.apply(yaml("web", "type: NodePort", "ipFamilies: [IPv4]"));
        String same = "- port: 80\n    nodePort: " + fixture.nodePorts("web").getFirst();
        fixture.apply(yaml("other", "type: NodePort", "ipFamilies: [IPv6]").replace("- port: 80", same));
        assertThat(fixture.ips("web")).hasSize(1);
        assertThat(fixture.refusal("other")).contains("is already allocated to Service shop/web");
    }

    @Test
    void aRefusedChangeLeavesTheOldInForce() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "clusterIP: 10.96.0.80"));
        fixture.apply(yaml("web", "clusterIP: 10.96.0.81"));
        assertThat(fixture.refusal("web")).contains("may not change once set");
        assertThat(fixture.ips("web")).containsExactly("10.96.0.80");
        fixture.apply(yaml("web"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(fixture.ips("web")).containsExactly("10.96.0.80");
    }

    @Test
    void upAndDownAndUpAgain() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web"));
        String first = fixture.ips("web").getFirst();
        fixture.apply(yaml("web", "ipFamilyPolicy: RequireDualStack"));
        assertThat(fixture.ips("web")).hasSize(2).startsWith(first);
        fixture.restart();
        fixture.apply(yaml("web", "ipFamilyPolicy: SingleStack"));
        assertThat(fixture.ips("web")).containsExactly(first);
        assertThat(fixture.ledger().ranges()).extracting(fill -> fill.used()).containsExactly(1L, 0L);
        fixture.apply(yaml("web", "ipFamilyPolicy: PreferDualStack"));
        assertThat(fixture.ips("web")).hasSize(2).startsWith(first);
    }

    @Test
    void nodePortsComeAndGoWithTheType() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "type: NodePort"));
        int port = fixture.nodePorts("web").getFirst();
        assertThat(port).isBetween(30_000, 30_099);
        fixture.apply(yaml("web", "type: LoadBalancer", "externalTrafficPolicy: Local"));
        assertThat(fixture.nodePorts("web")).containsExactly(port);
        int health = fixture.fields("web").orElseThrow().healthPort();
        assertThat(health).isBetween(30_000, 30_099).isNotEqualTo(port);
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(2);
        fixture.restart();
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(2);
        fixture.apply(yaml("web"));
        assertThat(fixture.nodePorts("web")).containsExactly(0);
        assertThat(fixture.ledger().figures().usedPorts()).isZero();
    }

    @Test
    void externalNameAndBackAllocatesAgain() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "type: NodePort", "ipFamilyPolicy: PreferDualStack"));
        fixture.apply(yaml("web", "type: ExternalName", "externalName: shop.example.org"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(fixture.ips("web")).isEmpty();
        assertThat(fixture.ledger().figures().usedPorts()).isZero();
        assertThat(fixture.ledger().ranges())
                .allSatisfy(fill -> assertThat(fill.used()).isZero());
        fixture.apply(yaml("web"));
        assertThat(fixture.ips("web")).hasSize(1);
    }

    @Test
    void aRangeIsUsedUpToItsLastAddressAndThenRefusedAtOnce() {
        LedgerFixture fixture = new LedgerFixture("192.168.1.0/28");
        Set<String> ips = new HashSet<>();
        for (int i = 0; i < 14; i++) {
            fixture.apply(yaml("s" + i));
            assertThat(ips.addAll(fixture.ips("s" + i))).isTrue();
        }
        fixture.apply(yaml("one-too-many"));
        assertThat(fixture.refusal("one-too-many")).contains("no IPv4 address is free: add a ServiceCIDR");
        String free = fixture.ips("s3").getFirst();
        fixture.delete("s3");
        assertThat(fixture.ips("one-too-many")).containsExactly(free);
    }

    @Test
    void reservedAddressIsNotAllocated() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/30");
        fixture.apply("""
                apiVersion: networking.k8s.io/v1
                kind: IPAddress
                metadata:
                  name: 10.96.0.1
                spec:
                  parentRef:
                    group: gateway.networking.k8s.io
                    resource: gateways
                    namespace: infra
                    name: west
                """);
        fixture.apply(yaml("a", "clusterIP: 10.96.0.1"), yaml("b"));
        assertThat(fixture.refusal("a"))
                .endsWith("is already allocated to gateways.gateway.networking.k8s.io infra/west");
        assertThat(fixture.ips("b")).containsExactly("10.96.0.2");
        fixture.restart();
        assertThat(fixture.ledger().unsaid(key -> false)).hasSize(2);
    }

    @Test
    void theReferenceOfAnAddressDoesNotChange() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        String text = """
                apiVersion: networking.k8s.io/v1
                kind: IPAddress
                metadata:
                  name: 10.96.0.9
                spec:
                  parentRef: {group: example.com, resource: hosts, name: h1}
                """;
        fixture.apply(text);
        fixture.apply(text.replace("h1", "h2"));
        assertThat(fixture.ledger()
                        .find(new IpAddress(Ip.parse("10.96.0.9"), IpAddress.Parent.service("", ""), true).key()))
                .hasValueSatisfying(entry -> assertThat(
                                ((Entry.AddressEntry) entry).address().parent().toString())
                        .contains("h1"));
    }

    @Test
    void judgingTakesNothing() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/30");
        fixture.apply(yaml("web"));
        List<DryRunResult> verdicts =
                fixture.ledger().judge(LedgerFixture.updates(yaml("a") + yaml("b") + yaml("web")), fixture.now(), 99);
        assertThat(verdicts).hasSize(3);
        assertThat(verdicts.get(0)).isInstanceOf(DryRunResult.Accepted.class);
        assertThat(verdicts.get(1)).isInstanceOf(DryRunResult.Refused.class);
        assertThat(verdicts.get(2))
                .isInstanceOfSatisfying(
                        DryRunResult.Accepted.class,
                        web -> assertThat(web.after()).isEqualTo(web.before()));
        assertThat(fixture.settle()).isEmpty();
        assertThat(fixture.ledger().refused()).isEmpty();
        assertThat(fixture.ledger().ranges().getFirst().used()).isEqualTo(1);
    }

    /** The question ends in an exception; what it asked about must not be put in force by the next batch. */
    @Test
    void aQuestionThatFailsLeavesNoTrace() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        List<Update> updates = LedgerFixture.updates(yaml("a") + yaml("b"));
        List<Update> failing = new AbstractList<>() {
            private int reads;

            @Override
            public Update get(int index) {
                reads++;
                if (reads > 3) {
                    throw new IllegalStateException("made up");
                }
                return updates.get(index);
            }

            @Override
            public int size() {
                return updates.size();
            }
        };
        assertThatThrownBy(() -> fixture.ledger().judge(failing, fixture.now(), 99))
                .hasMessage("made up");
        assertThat(fixture.settle()).isEmpty();
        assertThat(fixture.ips("a")).isEmpty();
    }

    @Test
    void aBatchThatIsTakenBackLeavesNoTrace() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(yaml("web", "type: NodePort"));
        fixture.ledger()
                .admit(
                        LedgerFixture.updates(yaml("web", "type: ExternalName", "externalName: x.org")
                                + yaml("b")
                                + cidr("c", "10.97.0.0/24")),
                        fixture.now().plus(Duration.ofHours(1)),
                        7);
        fixture.ledger().rollback();
        assertThat(fixture.settle()).isEmpty();
        assertThat(fixture.ledger().figures().usedPorts()).isEqualTo(1);
        assertThat(fixture.ledger().ranges())
                .extracting(fill -> fill.network() + " " + fill.used())
                .containsExactly("10.96.0.0/24 1", "fd00:96::/112 0");
        assertThat(fixture.ledger().find(LedgerFixture.service("b"))).isEmpty();
    }

    /** Two numbers, two needs, whatever is chosen at random. */
    @Test
    void aHealthPortThatIsNamedIsNotGivenToAPort() {
        for (int number = 30_000; number < 30_002; number++) {
            LedgerFixture fixture = new LedgerFixture(
                    new LedgerSettings(List.of(IpPrefix.parse("10.96.0.0/24")), 30_000, 30_001, Semantics.KUBERNETES));
            fixture.apply(yaml(
                    "web", "type: LoadBalancer", "externalTrafficPolicy: Local", "healthCheckNodePort: " + number));
            assertThat(fixture.refusal("web")).as("%s", number).isEmpty();
            assertThat(fixture.nodePorts("web")).containsExactly(number == 30_000 ? 30_001 : 30_000);
            assertThat(fixture.fields("web").orElseThrow().healthPort()).isEqualTo(number);
        }
    }

    /** The first in the order of names also names a number, but leaves the other one open. */
    @Test
    void whatAnotherServiceNamesIsNotChosenForOneThatNamesSomethingElse() {
        LedgerFixture ports = new LedgerFixture(
                new LedgerSettings(List.of(IpPrefix.parse("10.96.0.0/24")), 30_000, 30_000, Semantics.KUBERNETES));
        String both = yaml("b", "type: NodePort", "clusterIP: 10.96.0.8")
                .replace("- port: 80", "- port: 80\n    nodePort: 30000");
        ports.apply(yaml("a", "type: NodePort", "clusterIP: 10.96.0.9") + both);
        assertThat(ports.refusal("b")).isEmpty();
        assertThat(ports.nodePorts("b")).containsExactly(30_000);

        LedgerFixture addresses = new LedgerFixture(
                new LedgerSettings(List.of(IpPrefix.parse("10.96.0.8/30")), 30_000, 30_001, Semantics.KUBERNETES));
        addresses.apply(yaml("x", "clusterIP: 10.96.0.9"));
        addresses.apply(yaml("a", "type: NodePort").replace("- port: 80", "- port: 80\n    nodePort: 30001")
                + both.replace("10.96.0.8", "10.96.0.10"));
        assertThat(addresses.refusal("b")).isEmpty();
        assertThat(addresses.ips("b")).containsExactly("10.96.0.10");
    }

    @Test
    void aHealthPortIsNoNodePortOfTheSameService() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        String[] spec = {"type: LoadBalancer", "externalTrafficPolicy: Local", "healthCheckNodePort: 30005"};
        fixture.apply(yaml("web", spec).replace("- port: 80", "- port: 80\n    nodePort: 30005"));
        assertThat(fixture.refusal("web"))
                .isEqualTo("spec.healthCheckNodePort: \"30005\": is a node port of the Service, too; name another one");
        fixture.apply(yaml("web", "type: NodePort").replace("- port: 80", "- port: 80\n    nodePort: 30005"));
        fixture.apply(yaml("web", spec).replace("- port: 80", "- port: 80\n    nodePort: 30006"));
        assertThat(fixture.refusal("web")).isEmpty();
        assertThat(fixture.nodePorts("web")).containsExactly(30_006);
        assertThat(fixture.fields("web").orElseThrow().healthPort()).isEqualTo(30_005);
    }
}
