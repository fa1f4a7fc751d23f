package io.dualstackd.kubeapi.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.view.Destination;
import io.dualstackd.kubeapi.view.KeyedHash;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class DestinationHoldersTest {
    private static final KeyedHash HASH = new KeyedHash(1, 2);

    private final Map<ServiceKey, Service> services = new HashMap<>();
    private DestinationHolders destinationHolders = holders(Map.of());

    private DestinationHolders holders(Map<String, String> remembered) {
        return new DestinationHolders(key -> Optional.ofNullable(services.get(key)), remembered, HASH);
    }

    private static ServiceKey key(String name) {
        return new ServiceKey("default", name);
    }

    private static Service service(String name, String metadata, String spec) {
        String text =
                "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + metadata + "}\nspec: {" + spec + "}\n";
        return (Service) Manifests.decode("x", text).objects().getFirst().object();
    }

    private static Service at(String name, String ip) {
        return service(name, "", "clusterIP: " + ip + ", ports: [{port: 80}]");
    }

    private Set<ServiceKey> put(Service service) {
        ServiceKey key = key(service.name());
        Optional<Service> before = Optional.ofNullable(services.put(key, service));
        return destinationHolders.changed(key, before, Optional.of(service));
    }

    private Set<ServiceKey> remove(String name) {
        return destinationHolders.changed(key(name), Optional.ofNullable(services.remove(key(name))), Optional.empty());
    }

    private List<String> lost(String name) {
        return destinationHolders.lost(key(name)).stream()
                .map(Object::toString)
                .sorted()
                .toList();
    }

    @Test
    void theFirstKeepsItForAsLongAsItNamesIt() {
        destinationHolders.started();
        put(at("shop", "10.0.0.1"));
        assertThat(put(at("athief", "10.0.0.1"))).isEmpty();
        put(at("other", "10.0.0.1"));
        assertThat(lost("shop")).isEmpty();
        assertThat(lost("athief")).containsExactly("10.0.0.1:80/tcp");
        put(service("shop", "", "clusterIP: 10.0.0.1, type: NodePort, ports: [{port: 80, nodePort: 30080}]"));
        assertThat(lost("shop")).isEmpty();
        assertThat(destinationHolders.takeChanged()).contains(new TreeMap<>(Map.of("10.0.0.1:80/tcp", "default/shop")));
        assertThat(destinationHolders.takeChanged()).isEmpty();
        assertThat(remove("shop")).containsExactly(key("athief"));
        assertThat(lost("athief")).isEmpty();
        assertThat(lost("other")).hasSize(1);
        assertThat(put(at("athief", "10.0.0.2"))).containsExactly(key("other"));
        assertThat(lost("other")).isEmpty();
        assertThat(destinationHolders.disputes()).isEmpty();
        assertThat(destinationHolders.takeChanged()).contains(new TreeMap<>());
    }

    @Test
    void everyKindOfDestinationCounts() {
        destinationHolders.started();
        put(service(
                "shop",
                "",
                "type: LoadBalancer, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 'fd00::1'],"
                        + " ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack, externalTrafficPolicy: Local,"
                        + " healthCheckNodePort: 32000, externalIPs: [192.0.2.1],"
                        + " ports: [{port: 80, nodePort: 30080}]}\n"
                        + "status: {loadBalancer: {ingress: [{ip: 192.0.2.2}, {ip: 192.0.2.3, ipMode: Proxy}]}"));
        put(service(
                "thief",
                "",
                "type: NodePort, clusterIP: 10.0.0.9, externalIPs: [192.0.2.1, 192.0.2.2, 192.0.2.3],"
                        + " ports: [{name: a, port: 80, nodePort: 30080}, {name: b, port: 81, nodePort: 32000},"
                        + " {name: c, port: 82, protocol: UDP, nodePort: 30080}]"));
        assertThat(lost("thief"))
                .contains("192.0.2.1:80/tcp", "node port 30080/tcp (IPv4)", "node port 32000/tcp (IPv4)")
                .doesNotContain("192.0.2.3:80/tcp", "192.0.2.1:81/tcp", "node port 30080/udp (IPv4)");
        put(service("six", "", "type: NodePort, clusterIP: 'fd00::1', ports: [{port: 80, nodePort: 30080}]"));
        assertThat(lost("six")).containsExactly("[fd00::1]:80/tcp", "node port 30080/tcp (IPv6)");
    }

    @Test
    void atTheStartTheRememberedOneThenTheOldestThenTheFirst() {
        destinationHolders = holders(Map.of("10.0.0.1:80/tcp", "default/b"));
        put(at("a", "10.0.0.1"));
        assertThat(put(at("b", "10.0.0.1"))).containsExactly(key("a"));
        assertThat(put(service(
                        "c",
                        ", creationTimestamp: '2001-01-01T00:00:00Z'",
                        "clusterIP: 10.0.0.1, ports: [{port: 80}]")))
                .isEmpty();
        assertThat(lost("a")).hasSize(1);
        assertThat(lost("b")).isEmpty();
        put(service("d", ", creationTimestamp: '2002-01-01T00:00:00Z'", "clusterIP: 10.0.0.2, ports: [{port: 80}]"));
        put(service("e", ", creationTimestamp: '2001-01-01T00:00:00Z'", "clusterIP: 10.0.0.2, ports: [{port: 80}]"));
        put(at("f", "10.0.0.3"));
        put(at("g", "10.0.0.3"));
        destinationHolders.started();
        assertThat(lost("d")).hasSize(1);
        assertThat(lost("e")).isEmpty();
        assertThat(lost("f")).isEmpty();
        assertThat(lost("g")).hasSize(1);
        // Later, age does not help.
        put(service("h", ", creationTimestamp: '1999-01-01T00:00:00Z'", "clusterIP: 10.0.0.2, ports: [{port: 80}]"));
        assertThat(lost("h")).hasSize(1);
        assertThat(lost("e")).isEmpty();
    }

    /** The API server gives a cluster IP to one Service only, and lets anybody write an external IP. */
    @Test
    void aClusterIpComesBeforeExternalIps() {
        put(service(
                "old",
                ", creationTimestamp: '2001-01-01T00:00:00Z'",
                "clusterIP: 10.0.0.1, externalIPs: [10.0.0.2, 10.0.0.3], ports: [{port: 80}]"));
        assertThat(put(service(
                        "new",
                        ", creationTimestamp: '2002-01-01T00:00:00Z'",
                        "clusterIP: 10.0.0.2, ports: [{port: 80}]")))
                .containsExactly(key("old"));
        assertThat(lost("new")).isEmpty();
        destinationHolders.started();
        assertThat(put(at("later", "10.0.0.3"))).containsExactly(key("old"));
        assertThat(lost("old")).containsExactly("10.0.0.2:80/tcp", "10.0.0.3:80/tcp");
        put(service("thief", "", "clusterIP: 10.0.0.4, externalIPs: [10.0.0.2], ports: [{port: 80}]"));
        assertThat(lost("thief")).containsExactly("10.0.0.2:80/tcp");
        assertThat(remove("new")).containsExactly(key("old"));
        assertThat(lost("old")).containsExactly("10.0.0.3:80/tcp");
    }

    /** Two Services that name 20,000 destinations each: what the holder names is not made anew for each. */
    @Test
    @Timeout(60)
    void manyContestedDestinationsCostNoMoreThanTheirNumber() {
        StringBuilder ports = new StringBuilder();
        for (int port = 1; port <= 500; port++) {
            ports.append("{name: p")
                    .append(port)
                    .append(", port: ")
                    .append(port)
                    .append("},");
        }
        String ips = IntStream.range(1, 41).mapToObj(i -> "192.0.2." + i).collect(Collectors.joining(", "));
        String rest = ", externalIPs: [" + ips + "], ports: [" + ports + "]";
        destinationHolders.started();
        put(service("a", "", "clusterIP: 10.0.0.1" + rest));
        put(service("b", "", "clusterIP: 10.0.0.2" + rest));
        assertThat(lost("b")).hasSize(20_000);
        assertThat(destinationHolders.disputes()).hasSize(20_000);
        assertThat(destinationHolders.dryRun(List.of(new Update.Put(Objects.requireNonNull(services.get(key("b")))))))
                .isEmpty();
    }

    /** Without a secret, whoever names the second address would push the holder of the first one out. */
    @Test
    void addressesThatCollideInPlainArithmeticDoNotHere() {
        Destination one = new Destination.Address(Ip.parse("10.96.0.10"), 53, Proto.UDP);
        Destination other = new Destination.Address(Ip.parse("2001:db8:0:1:2cbe:f5e:74c1:d2cf"), 53, Proto.UDP);
        assertThat(one.mixed(HASH)).isNotEqualTo(one.mixed(new KeyedHash(2, 1)));
        assertThat(one.mixed(HASH)).isNotEqualTo(other.mixed(HASH)).isNotZero();
        assertThat(new Destination.NodePort(IpFamily.IPV4, 53, Proto.UDP).mixed(HASH))
                .isNotEqualTo(new Destination.NodePort(IpFamily.IPV6, 53, Proto.UDP).mixed(HASH));
    }

    /** Compared with a list of all arrivals for each destination. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void asIfEveryArrivalWereWrittenDown(long seed) {
        Random random = new Random(seed);
        destinationHolders.started();
        Map<Destination, List<ServiceKey>> arrivals = new HashMap<>();
        Map<ServiceKey, Set<Destination>> shown = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            String name = "s" + random.nextInt(12);
            Optional<Service> before = Optional.ofNullable(services.get(key(name)));
            Optional<Service> after = random.nextInt(4) == 0
                    ? Optional.empty()
                    : Optional.of(service(
                            name,
                            "",
                            "type: NodePort, clusterIP: 10.0.0." + (1 + random.nextInt(5)) + ", externalIPs: [192.0.2."
                                    + (1 + random.nextInt(3)) + "], ports: [{port: " + (80 + random.nextInt(2))
                                    + ", nodePort: " + (30_000 + random.nextInt(6)) + "}]"));
            Set<Destination> had = before.map(ServiceViews::destinations).orElse(Set.of());
            Set<Destination> names = after.map(ServiceViews::destinations).orElse(Set.of());
            had.stream()
                    .filter(d -> !names.contains(d))
                    .forEach(d -> Objects.requireNonNull(arrivals.get(d)).remove(key(name)));
            names.stream()
                    .filter(d -> !had.contains(d))
                    .forEach(d -> arrivals.computeIfAbsent(d, any -> new ArrayList<>())
                            .add(key(name)));
            Set<ServiceKey> changed = after.map(this::put).orElseGet(() -> remove(name));
            for (ServiceKey key : allKeys()) {
                Set<Destination> expected = new HashSet<>();
                arrivals.forEach((what, all) -> {
                    if (all.contains(key) && !all.getFirst().equals(key)) {
                        expected.add(what);
                    }
                });
                assertThat(destinationHolders.lost(key)).isEqualTo(expected);
                if (!key.equals(key(name)) && !expected.equals(shown.getOrDefault(key, Set.of()))) {
                    assertThat(changed).contains(key);
                }
                shown.put(key, expected);
            }
        }
    }

    private static List<ServiceKey> allKeys() {
        List<ServiceKey> keys = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            keys.add(key("s" + i));
        }
        return keys;
    }
}
