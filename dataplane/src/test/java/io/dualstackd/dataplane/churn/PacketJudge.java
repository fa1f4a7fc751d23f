package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.dataplane.rules.nftables.TableContent;
import io.dualstackd.dataplane.rules.nftables.TableWalk;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Sends packets through what the kernel holds, and compares with what the plans foretell. */
final class PacketJudge {
    private static final double CLOSE = 1e-9;

    private final World world;
    private final PacketOracle oracle;
    private final TableWalk walk;
    private final Random random;
    private final List<ServicePort> ports;

    PacketJudge(World world, TableContent kernel, Random random) {
        NodeView node = world.node();
        Planner planner = Planner.of(node);
        this.world = world;
        this.oracle = new PacketOracle(
                ProxyMode.NFTABLES,
                planner,
                world.services().stream().map(planner::plan).toList());
        this.walk = new TableWalk(kernel, new HashSet<>(node.addresses()), (chain, set, element) -> Optional.empty());
        this.random = random;
        this.ports = world.services().stream()
                .flatMap(service -> service.ports().stream())
                .map(PortView::port)
                .toList();
    }

    /** Sends a packet, and returns what went wrong, if anything. */
    Optional<String> surprise() {
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        Packet packet = packet();
        PacketFate predicted = oracle.fate(packet);
        List<End> ends = walk.walk(packet);
        boolean as = switch (predicted) {
            case PacketFate.NotOurs() -> passes(ends);
            case PacketFate.Dropped ignored -> all(ends, Verdict.DROPPED);
            case PacketFate.Rejected ignored -> all(ends, Verdict.REJECTED);
            case PacketFate.Forwarded(var ignored, var reason, var hops) -> isSpread(ends, hops);
        };
        return as ? Optional.empty() : Optional.of(packet + " was to be " + predicted + " and became " + ends);
    }

    private static boolean all(List<End> ends, Verdict verdict) {
        return ends.stream().allMatch(end -> end.verdict() == verdict);
    }

    private static boolean passes(List<End> ends) {
        return ends.stream()
                .allMatch(end ->
                        end.verdict() == Verdict.ACCEPTED && end.translated().isEmpty() && !end.masqueraded());
    }

    private static boolean isSpread(List<End> ends, List<PacketFate.Hop> hops) {
        TreeMap<String, Double> wanted = new TreeMap<>();
        hops.forEach(hop -> wanted.merge(hop.to().address() + " " + hop.masqueraded(), 1.0 / hops.size(), Double::sum));
        TreeMap<String, Double> found = new TreeMap<>();
        ends.forEach(end -> found.merge(
                end.translated().map(Object::toString).orElse("nowhere") + " " + end.masqueraded(),
                end.verdict() == Verdict.ACCEPTED ? end.probability() : 0,
                Double::sum));
        return wanted.keySet().equals(found.keySet())
                && wanted.entrySet().stream()
                        .allMatch(each -> Math.abs(each.getValue() - found.getOrDefault(each.getKey(), 0.0)) < CLOSE);
    }

    /** To something a Service has, mostly. */
    private Packet packet() {
        ServicePort port = one(ports);
        List<Ip> nodeAddresses = world.node().addresses();
        boolean fromNode = random.nextInt(3) == 0;
        boolean toNodePort = port.nodePort() != 0 && random.nextInt(3) == 0;
        List<Ip> destinations = new ArrayList<>();
        if (toNodePort) {
            nodeAddresses.stream().filter(ip -> fromNode || !ip.isLoopback()).forEach(destinations::add);
        } else {
            destinations.add(port.clusterIp());
            destinations.addAll(port.externalIps());
            destinations.addAll(port.loadBalancerIps());
        }
        Ip destination = one(destinations);
        Ip source = destination.isLoopback() ? destination : source(fromNode);
        int number = toNodePort ? port.nodePort() : random.nextInt(20) == 0 ? 8888 : port.port();
        return new Packet(
                source,
                fromNode
                        ? new Packet.Origin.ThisNode()
                        : new Packet.Origin.Interface(one(List.of("cni0", "cali12", "eth0"))),
                destination,
                port.name().protocol(),
                number);
    }

    private Ip source(boolean fromNode) {
        Set<String> others = Set.of("203.0.113.2", "203.0.113.130", "192.168.0.9", "10.0.0.2", "10.0.0.5", "10.0.1.3");
        return fromNode
                ? world.net.ip("192.168.0.2")
                : world.net.ip(one(others.stream().sorted().toList()));
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
