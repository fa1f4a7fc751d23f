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
import java.util.List;
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

    /** Service {@code n}, perhaps without any port. */
    public ServiceView service(int n) {
        ServiceKey key = key(n);
        List<PortView> ports = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            boolean external = random.nextBoolean();
            boolean sticky = random.nextInt(4) == 0;
            ServicePort port = new ServicePort(
                    new ServicePortName(key, "p" + i, one(PROTOCOLS)),
                    address(1, n),
                    80 + i,
                    external && random.nextBoolean() ? 30000 + 2 * n + i : 0,
                    external && random.nextBoolean() ? List.of(address(2, random.nextInt(3) == 0 ? 0 : n)) : List.of(),
                    external && random.nextBoolean() ? List.of(address(3, n), address(4, n)) : List.of(),
                    random.nextBoolean()
                            ? List.of()
                            : some(List.of(
                                    new IpPrefix(address(5, 0), family.bits() - 8),
                                    new IpPrefix(address(5, 0), family.bits() - 4),
                                    new IpPrefix(address(9, 0), family.bits() - 8))),
                    sticky ? new Affinity.ClientIp(60 + random.nextInt(2)) : Affinity.NONE,
                    one(List.of(TrafficPolicy.values())),
                    external ? one(List.of(TrafficPolicy.values())) : TrafficPolicy.CLUSTER,
                    0);
            ports.add(new PortView(port, endpoints()));
        }
        return new ServiceView(key, family, ports);
    }

    static ServiceKey key(int n) {
        return new ServiceKey("ns", "svc" + n);
    }

    private List<Endpoint> endpoints() {
        int count = random.nextInt(9);
        Set<Integer> pods = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            pods.add(random.nextInt(24));
        }
        return pods.stream()
                .map(pod -> {
                    boolean ready = random.nextInt(4) != 0;
                    return new Endpoint(
                            new IpPort(address(7, pod), 8080),
                            ready,
                            ready || random.nextBoolean(),
                            !ready && random.nextBoolean(),
                            pod % 3 == 0,
                            Set.of(),
                            Set.of());
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
