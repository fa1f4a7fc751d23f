package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Services and nodes out of a seed, dense with coincidences: pods behind several Services, policies and affinity that come and go. */
public record RandomServices(Random random, IpFamily family) {
    private static final List<Proto> PROTOCOLS = List.of(Proto.TCP, Proto.UDP, Proto.SCTP);

    public NodeView node() {
        NodeView usual = Samples.node(family);
        List<Ip> addresses =
                some(IntStream.range(0, 3).mapToObj(i -> address(9, i)).toList());
        return new NodeView(
                family,
                usual.name(),
                one(List.of("", "a")),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(address(9, 0)),
                addresses,
                one(List.of(LocalDetector.NONE, usual.detector(), new LocalDetector.FromBridge("cni0"))),
                one(List.of(
                        NodePortAddresses.ALL,
                        NodePortAddresses.PRIMARY,
                        new NodePortAddresses.Within(List.of(new IpPrefix(address(9, 0), family.bits() - 8))))),
                random.nextBoolean(),
                14,
                false,
                random.nextBoolean(),
                false,
                random.nextBoolean() ? List.of() : List.of(new IpPrefix(address(1, 0), family.bits() - 8)));
    }

    /** One to three of the first {@code count} Services as they are from now on; empty for one that is removed. */
    public Map<ServiceKey, Optional<ServiceView>> changes(int count) {
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int n = random.nextInt(count);
            changes.put(key(n), random.nextInt(5) == 0 ? Optional.empty() : Optional.of(service(n)));
        }
        return changes;
    }

    /** Service {@code n}, perhaps without any port. */
    public ServiceView service(int n) {
        ServiceKey key = key(n);
        List<PortView> ports = new ArrayList<>();
        int count = random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(2);
        // Two ports of one number have two protocols, and may share a node port.
        boolean oneNumber = random.nextInt(3) == 0;
        int firstProtocol = random.nextInt(PROTOCOLS.size());
        boolean renamed = random.nextInt(4) == 0;
        boolean external = random.nextBoolean();
        TrafficPolicy internalPolicy = one(List.of(TrafficPolicy.values()));
        TrafficPolicy externalPolicy = external ? one(List.of(TrafficPolicy.values())) : TrafficPolicy.CLUSTER;
        Affinity affinity = random.nextInt(4) == 0 ? new Affinity.ClientIp(60 + random.nextInt(2)) : Affinity.NONE;
        List<Ip> loadBalancerIps = external && random.nextBoolean() ? List.of(address(3, n), address(4, n)) : List.of();
        List<Ip> externalIps = external && random.nextBoolean() ? externalIps(n) : List.of();
        List<IpPrefix> sourceRanges = random.nextBoolean()
                ? List.of()
                : some(List.of(
                        new IpPrefix(address(5, 0), family.bits() - 8),
                        new IpPrefix(address(5, 0), family.bits() - 4),
                        new IpPrefix(address(9, 0), family.bits() - 8)));
        for (int i = 0; i < count; i++) {
            Proto protocol = oneNumber ? PROTOCOLS.get((firstProtocol + i) % PROTOCOLS.size()) : one(PROTOCOLS);
            int number = oneNumber ? 0 : i;
            ServicePort port = new ServicePort(
                    new ServicePortName(key, count == 1 && renamed ? "" : "p" + (renamed ? 1 - i : i), protocol),
                    address(1, n),
                    80 + number,
                    external && random.nextBoolean() ? 30000 + 2 * n + number : 0,
                    externalIps,
                    loadBalancerIps,
                    sourceRanges,
                    affinity,
                    internalPolicy,
                    externalPolicy,
                    externalPolicy == TrafficPolicy.LOCAL && !loadBalancerIps.isEmpty() ? 31000 + n : 0);
            ports.add(new PortView(port, endpoints()));
        }
        return new ServiceView(key, family, ports);
    }

    /** Its own, one of several Services, one that is a load-balancer IP of the Service, too, or the ClusterIP of another Service. */
    private List<Ip> externalIps(int n) {
        return switch (random.nextInt(5)) {
            case 0 -> List.of(address(2, 0));
            case 1 -> List.of(address(3, n), address(2, n));
            case 2 -> List.of(address(1, n + 100), address(9, 0));
            default -> List.of(address(2, n));
        };
    }

    static ServiceKey key(int n) {
        return new ServiceKey("ns", "svc" + n);
    }

    private List<Endpoint> endpoints() {
        int count = random.nextInt(9);
        boolean hinted = random.nextInt(3) == 0;
        Set<Integer> pods = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            pods.add(random.nextInt(24));
        }
        return pods.stream()
                .map(pod -> {
                    boolean ready = random.nextInt(4) != 0;
                    return new Endpoint(
                            new IpPort(address(7, pod), pod % 5 == 0 ? 8081 : 8080),
                            ready,
                            ready || random.nextBoolean(),
                            !ready && random.nextBoolean(),
                            pod % 3 == 0,
                            hinted ? Set.of(one(List.of("a", "b"))) : Set.of(),
                            hinted && pod % 4 != 0 ? Set.of(one(List.of("node-1", "node-2"))) : Set.of());
                })
                .sorted(Comparator.comparing(endpoint -> endpoint.address().toString()))
                .toList();
    }

    private Ip address(int network, int number) {
        return family == IpFamily.IPV4
                ? new Ip.V4(0x0a000000 | network << 16 | number)
                : new Ip.V6(0xfd00_0010_0000_0000L | network, number);
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private <T> List<T> some(List<T> of) {
        return of.stream().filter(ignored -> random.nextBoolean()).toList();
    }
}
