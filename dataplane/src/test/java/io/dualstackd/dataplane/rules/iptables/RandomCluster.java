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
import io.dualstackd.netlink.random.Draw;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Small random clusters of either family, dense with coincidences: pods that are clients and endpoints, packets that mostly aim at
 * something a Service has.
 */
public final class RandomCluster {
    private RandomCluster() {}

    /** A node, its Services, and a packet that meets them. */
    public record Cluster(NodeView node, List<ServiceView> services, Packet packet) {}

    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> NODE = List.of(LOOPBACK, "192.168.0.2", "192.168.1.2");
    /** Loopback addresses never arrive on an interface. */
    private static final List<String> REACHABLE = NODE.subList(1, NODE.size());

    private static final List<String> PODS = List.of("10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.1.2", "10.0.1.3");
    private static final List<String> CLIENTS =
            List.of("10.0.0.2", "10.0.0.3", "10.0.1.2", "203.0.113.2", "203.0.113.130", "192.168.0.9");
    private static final List<String> RANGES = List.of("203.0.113.0/25", "192.168.0.0/24", "10.0.0.2/32");
    private static final List<Proto> PROTOCOLS = List.of(Proto.TCP, Proto.UDP, Proto.SCTP);
    private static final int SERVICES = 3;

    /** A cluster of its own for each run. */
    public static Cluster of(Draw draw) {
        return new Maker(draw.random()).cluster();
    }

    /** Writes IPv4 addresses; in an IPv6 cluster they become the last 32 bits of {@code fd00::/96}. */
    private record Maker(Random random, IpFamily family) {
        Maker(Random random) {
            this(random, random.nextBoolean() ? IpFamily.IPV4 : IpFamily.IPV6);
        }

        Cluster cluster() {
            List<ServiceView> services =
                    IntStream.range(0, SERVICES).mapToObj(this::service).toList();
            return new Cluster(node(), services, packet(services));
        }

        private NodeView node() {
            LocalDetector detector = one(List.of(
                    LocalDetector.NONE,
                    new LocalDetector.SourceIn(network("10.0.0.0/8")),
                    new LocalDetector.SourceIn(network("10.0.0.0/24")),
                    new LocalDetector.FromBridge("cni0"),
                    new LocalDetector.FromInterfacePrefix("cali")));
            NodePortAddresses nodePorts = one(List.of(
                    NodePortAddresses.ALL,
                    NodePortAddresses.PRIMARY,
                    new NodePortAddresses.Within(List.of(network("192.168.1.0/24"))),
                    new NodePortAddresses.Within(
                            List.of(new IpPrefix(Ip.unspecified(family), 0), network("192.168.1.0/24")))));
            return new NodeView(
                    family,
                    "node-1",
                    "a",
                    Optional.of(ip("192.168.0.2")),
                    addresses(),
                    detector,
                    nodePorts,
                    random.nextInt(4) == 0,
                    one(List.of(0, 14, 31)),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    one(List.of(List.of(), List.of(network("172.30.0.0/16")))));
        }

        /** Its own, and perhaps some that Services have: a load balancer or a DNS cache of the node may hold those. */
        private List<Ip> addresses() {
            List<String> addresses = new ArrayList<>(NODE);
            if (random.nextBoolean()) {
                addresses.addAll(some(List.of("172.30.0.1", "203.0.113.201", "198.51.100.1")));
            }
            return addresses.stream().map(this::ip).toList();
        }

        private ServiceView service(int index) {
            ServiceKey key = new ServiceKey("ns", "svc" + index);
            boolean external = random.nextBoolean();
            ServicePort port = new ServicePort(
                    new ServicePortName(key, random.nextBoolean() ? "" : "web", one(PROTOCOLS)),
                    ip("172.30.0." + index),
                    random.nextInt(3) == 0 ? 30000 + random.nextInt(SERVICES) : 80,
                    external && random.nextBoolean() ? 30000 + index : 0,
                    external && random.nextBoolean() ? externalIps(index) : List.of(),
                    external && random.nextBoolean()
                            ? List.of(ip("203.0.113." + (200 + index)), ip("203.0.113." + (210 + index)))
                            : List.of(),
                    random.nextBoolean()
                            ? List.of()
                            : some(RANGES).stream().map(this::network).toList(),
                    random.nextInt(4) == 0 ? new Affinity.ClientIp(60) : Affinity.NONE,
                    one(List.of(TrafficPolicy.values())),
                    external ? one(List.of(TrafficPolicy.values())) : TrafficPolicy.CLUSTER,
                    0);
            return new ServiceView(key, family, List.of(new PortView(port, endpoints())));
        }

        /** One may be a load-balancer IP of the Service, too, one an address of the node. */
        private List<Ip> externalIps(int index) {
            return switch (random.nextInt(5)) {
                case 0 -> List.of(ip("203.0.113." + (200 + index)));
                case 1, 2 -> List.of(ip(NODE.get(index)));
                default -> List.of(ip("198.51.100." + index));
            };
        }

        private List<Endpoint> endpoints() {
            return (random.nextInt(4) == 0 ? List.<String>of() : some(PODS))
                    .stream()
                            .map(this::endpoint)
                            .sorted(Comparator.comparing(
                                    endpoint -> endpoint.address().toString()))
                            .toList();
        }

        private Endpoint endpoint(String pod) {
            boolean ready = random.nextInt(3) != 0;
            return new Endpoint(
                    new IpPort(ip(pod), 8080),
                    ready,
                    ready || random.nextBoolean(),
                    !ready && random.nextBoolean(),
                    pod.startsWith("10.0.0."),
                    Set.of(),
                    Set.of());
        }

        private Packet packet(List<ServiceView> services) {
            boolean fromNode = random.nextInt(3) == 0;
            int index = random.nextInt(SERVICES);
            ServicePort service = services.get(index).ports().getFirst().port();
            boolean nodePort = random.nextBoolean();
            String destination = one(
                    nodePort
                            ? fromNode ? NODE : REACHABLE
                            : List.of(
                                    "172.30.0." + index,
                                    "172.30.0.77",
                                    "198.51.100." + index,
                                    "203.0.113." + (200 + index),
                                    "203.0.113." + (210 + index)));
            // A process that does not choose gets a source beside its destination; no other gets past the loopback
            // guard.
            String source = destination.equals(LOOPBACK) ? LOOPBACK : one(fromNode ? NODE : CLIENTS);
            Packet.Origin origin = fromNode
                    ? new Packet.Origin.ThisNode()
                    : new Packet.Origin.Interface(one(List.of("cni0", "cali12", "eth0")));
            boolean otherPort = random.nextInt(6) == 0;
            return new Packet(
                    ip(source),
                    origin,
                    ip(destination),
                    random.nextInt(4) == 0 ? one(PROTOCOLS) : service.name().protocol(),
                    nodePort != otherPort ? 30000 + index : service.port());
        }

        private Ip ip(String text) {
            Ip ip = Ip.parse(text);
            return switch (family) {
                case IPV4 -> ip;
                case IPV6 -> ip.isLoopback() ? Ip.parse("::1") : Ip.parse("fd00::" + text);
            };
        }

        private IpPrefix network(String text) {
            IpPrefix network = IpPrefix.parse(text);
            int longer = family.bits() - IpFamily.IPV4.bits();
            return new IpPrefix(ip(network.address().toString()), network.length() + longer);
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private <T> List<T> some(List<T> of) {
            return of.stream().filter(ignored -> random.nextBoolean()).toList();
        }
    }
}
