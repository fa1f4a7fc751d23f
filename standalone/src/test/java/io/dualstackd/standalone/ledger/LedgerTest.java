package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.Room.cidr;
import static io.dualstackd.standalone.ledger.Room.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.netlink.ip.Ip;
import java.time.Duration;
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
        Room room = new Room(Room.DUAL);
        room.say(yaml("one"), yaml("two", "ipFamilyPolicy: PreferDualStack"));
        assertThat(room.ips("one")).hasSize(1).allMatch(ip -> ip.startsWith("10.96.0."));
        assertThat(room.ips("two")).hasSize(2);
        assertThat(room.ips("two").get(1)).startsWith("fd00:96::");
        for (String ip : room.ips("two")) {
            assertThat(room.ledger().find(new IpAddress(Ip.parse(ip), IpAddress.Parent.service("", ""), true).key()))
                    .hasValueSatisfying(entry -> assertThat(((Entry.AddressEntry) entry).address())
                            .isEqualTo(new IpAddress(Ip.parse(ip), IpAddress.Parent.service("shop", "two"), true)));
        }
    }

    /** One family or both, each first on a node whose first family is IPv4, and on one where it is IPv6. */
    @ParameterizedTest
    @ValueSource(strings = {"10.96.0.0/24,fd00:96::/112", "fd00:96::/112,10.96.0.0/24"})
    void theOrderOfFamiliesIsThatOfTheAddresses(String ranges) {
        Room room = new Room(ranges);
        room.say(
                yaml("four", "ipFamilies: [IPv4]"),
                yaml("six", "ipFamilies: [IPv6]"),
                yaml("four-six", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv4, IPv6]"),
                yaml("six-four", "ipFamilyPolicy: RequireDualStack", "ipFamilies: [IPv6, IPv4]"),
                yaml("usual", "ipFamilyPolicy: PreferDualStack"));
        assertThat(families(room, "four")).isEqualTo("4");
        assertThat(families(room, "six")).isEqualTo("6");
        assertThat(families(room, "four-six")).isEqualTo("46");
        assertThat(families(room, "six-four")).isEqualTo("64");
        assertThat(families(room, "usual")).isEqualTo(ranges.startsWith("10") ? "46" : "64");
    }

    private static String families(Room room, String name) {
        return room.ips(name).stream()
                .map(ip -> ip.startsWith("10.96.0.") ? "4" : ip.startsWith("fd00:96::") ? "6" : ip)
                .collect(Collectors.joining());
    }

    private static String nodePort(String name, int port) {
        return yaml(name, "type: NodePort").replace("- port: 80", "- {port: 80, nodePort: " + port + "}");
    }

    @Test
    void aNodePortOutsideTheRangeIsNotWaitedFor() {
        Room room = new Room(Room.DUAL);
        room.say(nodePort("first", 30001));
        room.say(
                nodePort("below", 99),
                nodePort("second", 30001),
                yaml("health", "type: LoadBalancer", "externalTrafficPolicy: Local", "healthCheckNodePort: 99"));
        Map<String, Boolean> waits = new TreeMap<>();
        room.ledger().refused().forEach((key, refusal) -> waits.put(key.name(), refusal.waits()));
        assertThat(waits).isEqualTo(Map.of("below", false, "health", false, "second", true));
    }

    @Test
    void whatIsSaidAgainChangesNothing() {
        Room room = new Room(Room.DUAL);
        String text = yaml("web", "type: NodePort", "ipFamilyPolicy: RequireDualStack");
        room.say(text);
        assertThat(room.say(text)).isEmpty();
        room.restart();
        assertThat(room.say(text)).isEmpty();
        assertThat(room.ledger().unsaid(key -> false)).isEmpty();
    }

    @Test
    void addressesStayOverARestartAndComeFreeWithTheService() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "clusterIP: 10.96.0.80"));
        room.restart();
        room.say(yaml("thief", "clusterIP: 10.96.0.80"));
        assertThat(room.ips("thief")).isEmpty();
        assertThat(room.refusal("thief"))
                .isEqualTo("spec.clusterIPs[0]: \"10.96.0.80\": failed to allocate it: 10.96.0.80 is already allocated"
                        + " to Service shop/web");
        room.delete("web");
        assertThat(room.ips("thief")).containsExactly("10.96.0.80");
        assertThat(room.refusal("thief")).isEmpty();
    }

    @Test
    void whoNamesAnAddressComesBeforeThoseWhoTakeAny() {
        Room room = new Room("10.96.0.0/30");
        room.say(yaml("a"), yaml("b"), yaml("z", "clusterIP: 10.96.0.1"));
        assertThat(room.ips("z")).containsExactly("10.96.0.1");
        assertThat(room.ips("a")).containsExactly("10.96.0.2");
        assertThat(room.refusal("b")).contains("no IPv4 address is free");
        room.say(cidr("more", "10.97.0.0/30"));
        assertThat(room.ips("b")).hasSize(1);
    }

    @Test
    void aRefusalTakesNothing() {
        Room room = new Room("10.96.0.0/24,fd00:96::/112");
        room.say(yaml("web", "type: NodePort"));
        int port = room.nodePorts("web").getFirst();
        String wish = yaml("other", "type: NodePort", "ipFamilyPolicy: RequireDualStack")
                .replace("- port: 80", "- port: 80\n    nodePort: " + port);
        room.say(wish);
        assertThat(room.refusal("other")).contains("is already allocated to Service shop/web");
        assertThat(room.ledger().ranges())
                .allSatisfy(fill -> assertThat(fill.used())
                        .isEqualTo(fill.network().toString().equals("10.96.0.0/24") ? 1 : 0));
        assertThat(room.ledger().figures().usedPorts()).isEqualTo(1);
    }

    @Test
    void aNodePortIsTakenInBothFamilies() {
        Room room = new Room("10.96.0.0/24,fd00:96::/112");
        room.say(yaml("web", "type: NodePort", "ipFamilies: [IPv4]"));
        String same = "- port: 80\n    nodePort: " + room.nodePorts("web").getFirst();
        room.say(yaml("other", "type: NodePort", "ipFamilies: [IPv6]").replace("- port: 80", same));
        assertThat(room.ips("web")).hasSize(1);
        assertThat(room.refusal("other")).contains("is already allocated to Service shop/web");
    }

    @Test
    void aRefusedChangeLeavesTheOldInForce() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "clusterIP: 10.96.0.80"));
        room.say(yaml("web", "clusterIP: 10.96.0.81"));
        assertThat(room.refusal("web")).contains("may not change once set");
        assertThat(room.ips("web")).containsExactly("10.96.0.80");
        room.say(yaml("web"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(room.ips("web")).containsExactly("10.96.0.80");
    }

    @Test
    void upAndDownAndUpAgain() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web"));
        String first = room.ips("web").getFirst();
        room.say(yaml("web", "ipFamilyPolicy: RequireDualStack"));
        assertThat(room.ips("web")).hasSize(2).startsWith(first);
        room.restart();
        room.say(yaml("web", "ipFamilyPolicy: SingleStack"));
        assertThat(room.ips("web")).containsExactly(first);
        assertThat(room.ledger().ranges()).extracting(fill -> fill.used()).containsExactly(1L, 0L);
        room.say(yaml("web", "ipFamilyPolicy: PreferDualStack"));
        assertThat(room.ips("web")).hasSize(2).startsWith(first);
    }

    @Test
    void nodePortsComeAndGoWithTheType() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "type: NodePort"));
        int port = room.nodePorts("web").getFirst();
        assertThat(port).isBetween(30_000, 30_099);
        room.say(yaml("web", "type: LoadBalancer", "externalTrafficPolicy: Local"));
        assertThat(room.nodePorts("web")).containsExactly(port);
        int health = room.fields("web").orElseThrow().healthPort();
        assertThat(health).isBetween(30_000, 30_099).isNotEqualTo(port);
        assertThat(room.ledger().figures().usedPorts()).isEqualTo(2);
        room.restart();
        assertThat(room.ledger().figures().usedPorts()).isEqualTo(2);
        room.say(yaml("web"));
        assertThat(room.nodePorts("web")).containsExactly(0);
        assertThat(room.ledger().figures().usedPorts()).isZero();
    }

    @Test
    void toExternalNameAndBackEverythingIsAnew() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "type: NodePort", "ipFamilyPolicy: PreferDualStack"));
        room.say(yaml("web", "type: ExternalName", "externalName: shop.example.org"));
        assertThat(room.refusal("web")).isEmpty();
        assertThat(room.ips("web")).isEmpty();
        assertThat(room.ledger().figures().usedPorts()).isZero();
        assertThat(room.ledger().ranges())
                .allSatisfy(fill -> assertThat(fill.used()).isZero());
        room.say(yaml("web"));
        assertThat(room.ips("web")).hasSize(1);
    }

    @Test
    void aRangeIsUsedUpToItsLastAddressAndThenRefusedAtOnce() {
        Room room = new Room("192.168.1.0/28");
        Set<String> ips = new HashSet<>();
        for (int i = 0; i < 14; i++) {
            room.say(yaml("s" + i));
            assertThat(ips.addAll(room.ips("s" + i))).isTrue();
        }
        room.say(yaml("one-too-many"));
        assertThat(room.refusal("one-too-many")).contains("no IPv4 address is free: add a ServiceCIDR");
        String free = room.ips("s3").getFirst();
        room.delete("s3");
        assertThat(room.ips("one-too-many")).containsExactly(free);
    }

    @Test
    void aReservedAddressIsNobodys() {
        Room room = new Room("10.96.0.0/30");
        room.say("""
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
        room.say(yaml("a", "clusterIP: 10.96.0.1"), yaml("b"));
        assertThat(room.refusal("a")).endsWith("is already allocated to gateways.gateway.networking.k8s.io infra/west");
        assertThat(room.ips("b")).containsExactly("10.96.0.2");
        room.restart();
        assertThat(room.ledger().unsaid(key -> false)).hasSize(2);
    }

    @Test
    void theReferenceOfAnAddressDoesNotChange() {
        Room room = new Room(Room.DUAL);
        String text = """
                apiVersion: networking.k8s.io/v1
                kind: IPAddress
                metadata:
                  name: 10.96.0.9
                spec:
                  parentRef: {group: example.com, resource: hosts, name: h1}
                """;
        room.say(text);
        room.say(text.replace("h1", "h2"));
        assertThat(room.ledger()
                        .find(new IpAddress(Ip.parse("10.96.0.9"), IpAddress.Parent.service("", ""), true).key()))
                .hasValueSatisfying(entry -> assertThat(
                                ((Entry.AddressEntry) entry).address().parent().toString())
                        .contains("h1"));
    }

    @Test
    void judgingTakesNothing() {
        Room room = new Room("10.96.0.0/30");
        room.say(yaml("web"));
        List<DryRunResult> verdicts =
                room.ledger().judge(Room.said(yaml("a") + yaml("b") + yaml("web")), room.now(), 99);
        assertThat(verdicts).hasSize(3);
        assertThat(verdicts.get(0)).isInstanceOf(DryRunResult.Accepted.class);
        assertThat(verdicts.get(1)).isInstanceOf(DryRunResult.Refused.class);
        assertThat(verdicts.get(2))
                .isInstanceOfSatisfying(
                        DryRunResult.Accepted.class,
                        web -> assertThat(web.after()).isEqualTo(web.before()));
        assertThat(room.settle()).isEmpty();
        assertThat(room.ledger().refused()).isEmpty();
        assertThat(room.ledger().ranges().getFirst().used()).isEqualTo(1);
    }

    @Test
    void aBatchThatIsTakenBackLeavesNoTrace() {
        Room room = new Room(Room.DUAL);
        room.say(yaml("web", "type: NodePort"));
        room.ledger()
                .admit(
                        Room.said(yaml("web", "type: ExternalName", "externalName: x.org")
                                + yaml("b")
                                + cidr("c", "10.97.0.0/24")),
                        room.now().plus(Duration.ofHours(1)),
                        7);
        room.ledger().rollback();
        assertThat(room.settle()).isEmpty();
        assertThat(room.ledger().figures().usedPorts()).isEqualTo(1);
        assertThat(room.ledger().ranges())
                .extracting(fill -> fill.network() + " " + fill.used())
                .containsExactly("10.96.0.0/24 1", "fd00:96::/112 0");
        assertThat(room.ledger().find(Room.service("b"))).isEmpty();
    }
}
