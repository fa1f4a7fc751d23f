package io.dualstackd.dataplane.rules.iptables;

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
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/**
 * Small random IPv4 clusters, dense with coincidences: pods that are clients and endpoints, node addresses as external addresses,
 * packets that mostly aim at something a Service has.
 */
public final class RandomCluster extends DomainContextBase {
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> NODE = List.of(LOOPBACK, "192.168.0.2", "192.168.1.2");
    /** Loopback addresses never arrive on an interface. */
    private static final List<String> REACHABLE = NODE.subList(1, NODE.size());

    private static final List<String> PODS = List.of("10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.1.2", "10.0.1.3");
    private static final List<String> CLIENTS =
            List.of("10.0.0.2", "10.0.0.3", "10.0.1.2", "203.0.113.2", "203.0.113.130", "192.168.0.9");
    private static final List<Proto> PROTOCOLS = List.of(Proto.TCP, Proto.UDP, Proto.SCTP);
    private static final int SERVICES = 3;

    @Provide
    Arbitrary<NodeView> nodes() {
        return seeded(RandomCluster::node);
    }

    @Provide
    Arbitrary<List<ServiceView>> services() {
        return seeded(random ->
                IntStream.range(0, SERVICES).mapToObj(i -> service(i, random)).toList());
    }

    @Provide
    Arbitrary<Packet> packets() {
        return seeded(RandomCluster::packet);
    }

    /** Seeded by the property, so that a failed sample prints and repeats. */
    private static <T> Arbitrary<T> seeded(Function<Random, T> make) {
        return Arbitraries.longs().map(seed -> make.apply(new Random(seed)));
    }

    private static NodeView node(Random random) {
        LocalDetector detector = one(
                random,
                List.of(
                        LocalDetector.NONE,
                        new LocalDetector.SourceIn(IpPrefix.parse("10.0.0.0/8")),
                        new LocalDetector.SourceIn(IpPrefix.parse("10.0.0.0/24")),
                        new LocalDetector.FromBridge("cni0"),
                        new LocalDetector.FromInterfacePrefix("cali")));
        NodePortAddresses nodePorts = one(
                random,
                List.of(
                        NodePortAddresses.ALL,
                        NodePortAddresses.PRIMARY,
                        new NodePortAddresses.Within(List.of(IpPrefix.parse("192.168.1.0/24"))),
                        new NodePortAddresses.Within(List.of(IpPrefix.parse("0.0.0.0/0")))));
        return new NodeView(
                IpFamily.IPV4,
                "node-1",
                "a",
                Optional.of(Ip.parse("192.168.0.2")),
                NODE.stream().map(Ip::parse).toList(),
                detector,
                nodePorts,
                random.nextInt(4) == 0,
                random.nextBoolean() ? 14 : 31,
                random.nextBoolean(),
                random.nextBoolean());
    }

    private static ServiceView service(int index, Random random) {
        ServiceKey key = new ServiceKey("ns", "svc" + index);
        Proto proto = one(random, PROTOCOLS);
        boolean external = random.nextBoolean();
        ServicePort port = new ServicePort(
                new ServicePortName(key, random.nextBoolean() ? "" : "web", proto),
                Ip.parse("172.30.0." + index),
                80,
                external && random.nextBoolean() ? 30000 + index : 0,
                external && random.nextBoolean() ? List.of(Ip.parse("198.51.100." + index)) : List.of(),
                external && random.nextBoolean()
                        ? List.of(Ip.parse("203.0.113." + (200 + index)), Ip.parse("203.0.113." + (210 + index)))
                        : List.of(),
                random.nextBoolean() ? List.of() : some(random, RANGES),
                random.nextInt(4) == 0 ? new Affinity.ClientIp(60) : Affinity.NONE,
                one(random, List.of(TrafficPolicy.values())),
                external ? one(random, List.of(TrafficPolicy.values())) : TrafficPolicy.CLUSTER,
                0);
        return new ServiceView(key, IpFamily.IPV4, List.of(new PortView(port, endpoints(random))));
    }

    private static final List<IpPrefix> RANGES =
            List.of(IpPrefix.parse("203.0.113.0/25"), IpPrefix.parse("192.168.0.0/24"), IpPrefix.parse("10.0.0.2/32"));

    private static List<Endpoint> endpoints(Random random) {
        return some(random, PODS).stream()
                .map(pod -> {
                    boolean ready = random.nextInt(3) != 0;
                    return new Endpoint(
                            new IpPort(Ip.parse(pod), 8080),
                            ready,
                            ready || random.nextBoolean(),
                            !ready && random.nextBoolean(),
                            pod.startsWith("10.0.0."),
                            Set.of(),
                            Set.of());
                })
                .sorted(Comparator.comparing(endpoint -> endpoint.address().toString()))
                .toList();
    }

    private static Packet packet(Random random) {
        boolean fromNode = random.nextInt(3) == 0;
        int index = random.nextInt(SERVICES);
        boolean nodePort = random.nextBoolean();
        String destination = one(
                random,
                nodePort
                        ? fromNode ? NODE : REACHABLE
                        : List.of(
                                "172.30.0." + index,
                                "198.51.100." + index,
                                "203.0.113." + (200 + index),
                                "203.0.113." + (210 + index)));
        // A process that does not choose gets a source beside its destination, and no other reaches loopback past the
        // guard.
        String source = destination.equals(LOOPBACK) ? LOOPBACK : one(random, fromNode ? NODE : CLIENTS);
        Packet.Origin origin = fromNode
                ? new Packet.Origin.ThisNode()
                : new Packet.Origin.Interface(one(random, List.of("cni0", "cali12", "eth0")));
        return new Packet(
                Ip.parse(source), origin, Ip.parse(destination), one(random, PROTOCOLS), nodePort ? 30000 + index : 80);
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static <T> List<T> some(Random random, List<T> of) {
        return of.stream().filter(ignored -> random.nextBoolean()).toList();
    }
}
