package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.PacketFate.Dropped;
import io.dualstackd.dataplane.plan.PacketFate.Forwarded;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.dataplane.plan.PacketFate.NotOurs;
import io.dualstackd.dataplane.plan.PacketFate.Reason;
import io.dualstackd.dataplane.plan.PacketFate.Rejected;
import io.dualstackd.netlink.ip.Ip;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Predicts what the kernel does with a packet, from the plans alone and without reading any rule. It is used to explain a node to
 * its administrator, and to check the rules in tests.
 *
 * <p>Not predicted: which backend session affinity selects, the loopback guard, and what else (host firewall, missing route) may
 * happen to a packet.
 */
public final class PacketOracle {
    private static final String EVERY_ENDPOINT = "every one that this node may use";
    private static final String SHORT_CUT =
            EVERY_ENDPOINT + ": from inside the cluster externalTrafficPolicy Local does not count";

    private static final String FROM_NODE = "masqueraded: it comes from this node itself";

    private final ProxyMode mode;
    private final NodeView node;
    private final NodePlan plan;
    private final List<PortPlan> ports;

    /** An oracle for all Services of one family. */
    public PacketOracle(ProxyMode mode, Planner planner, Collection<ServicePlan> services) {
        this.mode = mode;
        this.node = planner.node();
        this.plan = planner.nodePlan();
        this.ports = services.stream()
                .flatMap(service -> service.ports().stream())
                .sorted((a, b) -> a.port().name().compareTo(b.port().name()))
                .toList();
    }

    /** The fate of a packet of this oracle's family; any other packet is {@link PacketFate.NotOurs}. */
    public PacketFate fate(Packet packet) {
        for (PortPlan port : ports) {
            if (port.port().port() == packet.port()
                    && port.port().name().protocol().equals(packet.protocol())) {
                Optional<PacketFate> fate = atAddress(port, packet);
                if (fate.isPresent()) {
                    return endsAtAddress(port, packet, fate.get())
                            ? fate.get()
                            : afterAddress(port, packet, fate.get());
                }
            }
        }
        Optional<PortPlan> nodePort = withNodePort(packet);
        if (nodePort.isPresent()) {
            return atNodePort(nodePort.get(), packet);
        }
        return switch (mode) {
            case IPTABLES -> PacketFate.NOT_OURS;
            case NFTABLES -> unassigned(packet);
            case IPVS -> closed(packet);
        };
    }

    private Optional<PortPlan> withNodePort(Packet packet) {
        return ports.stream()
                .filter(port -> port.port().nodePort() == packet.port()
                        && port.port().name().protocol().equals(packet.protocol())
                        && isLocal(packet.destination()))
                .findFirst();
    }

    /** The fate of a packet that is not translated at an address of {@code port}: the node may have the address, and a node port the port. */
    private PacketFate afterAddress(PortPlan port, Packet packet, PacketFate fate) {
        Optional<PortPlan> nodePort = withNodePort(packet);
        if (nodePort.isEmpty()) {
            return fate;
        }
        PacketFate atNodePort = atNodePort(nodePort.get(), packet);
        if (atNodePort instanceof Forwarded && leavesTranslation(port, packet, fate)) {
            return fate;
        }
        if (atNodePort instanceof Forwarded || fate instanceof NotOurs) {
            return atNodePort;
        }
        return atNodePort instanceof NotOurs || refusesFirst(port, nodePort.get(), packet) ? fate : atNodePort;
    }

    /** In nftables mode a chain of external traffic does not return to the node ports; the rules that refuse are other chains. */
    private boolean leavesTranslation(PortPlan port, Packet packet, PacketFate fate) {
        return mode == ProxyMode.NFTABLES
                && fate instanceof Dropped
                && !port.port().clusterIp().equals(packet.destination());
    }

    /** Whether {@code port} refuses a packet to its address before another Service refuses it at its node port. */
    private boolean refusesFirst(PortPlan port, PortPlan nodePort, Packet packet) {
        ServicePort service = port.port();
        boolean filtersSources = !port.allowedSources().isEmpty()
                && port.hasEndpoints()
                && service.loadBalancerIps().contains(packet.destination());
        return switch (mode) {
            case NFTABLES, IPVS -> isFromNode(packet);
            // The rules of external addresses and of node ports are in one chain.
            case IPTABLES ->
                filtersSources
                        || service.clusterIp().equals(packet.destination())
                        || service.name().compareTo(nodePort.port().name()) <= 0;
        };
    }

    /**
     * Whether a packet to an address of a Service meets no node port afterwards, if the node has the address: rules that refuse see only what
     * no node port took.
     */
    private boolean endsAtAddress(PortPlan port, Packet packet, PacketFate fate) {
        return switch (mode) {
            case IPTABLES -> fate instanceof Forwarded;
            // The source filter comes before all translation.
            case NFTABLES ->
                fate instanceof Forwarded
                        || (port.port().loadBalancerIps().contains(packet.destination())
                                && !port.port().clusterIp().equals(packet.destination())
                                && isDenied(port, packet));
            case IPVS -> true;
        };
    }

    private Optional<PacketFate> atAddress(PortPlan port, Packet packet) {
        ServicePort service = port.port();
        if (service.clusterIp().equals(packet.destination())) {
            return Optional.of(internal(port, packet));
        }
        boolean isExternalIp = service.externalIps().contains(packet.destination());
        // In iptables mode the rule of an external IP comes first, and it has no source filter.
        boolean filterIsPassed = mode == ProxyMode.IPTABLES && isExternalIp;
        if (!filterIsPassed && service.loadBalancerIps().contains(packet.destination())) {
            return Optional.of(loadBalancer(port, packet));
        }
        if (isExternalIp) {
            return Optional.of(external(port, packet, rejectsAtAddress(packet), "external IP"));
        }
        return Optional.empty();
    }

    private PacketFate internal(PortPlan port, Packet packet) {
        return switch (port.internal()) {
            case REJECT -> refusesAtClusterIp(packet) ? noEndpoints(port) : PacketFate.NOT_OURS;
            case DROP -> refusesAtClusterIp(packet) ? withoutLocal(port, packet) : PacketFate.NOT_OURS;
            case SERVE -> {
                boolean masquerade = switch (plan.clusterIpMasquerade()) {
                    case ClusterIpMasquerade.Always() -> true;
                    // For a process of the node the ClusterIP is a local address, and so it is the source address, too.
                    case ClusterIpMasquerade.Never() -> mode == ProxyMode.IPVS && isFromNode(packet);
                    case ClusterIpMasquerade.UnlessFrom(LocalDetector pods) -> !matches(pods, packet);
                };
                String endpoints = port.port().internalPolicyLocal()
                        ? "those of this node: internalTrafficPolicy is Local"
                        : EVERY_ENDPOINT;
                Reason reason = new Reason("ClusterIP", endpoints, !masquerade, clusterIpSource(masquerade));
                yield forwarded(port, packet, port.internalBackends(), reason);
            }
        };
    }

    private String clusterIpSource(boolean masquerade) {
        return switch (plan.clusterIpMasquerade()) {
            case ClusterIpMasquerade.Always() -> "masqueraded: --masquerade-all is set";
            case ClusterIpMasquerade.Never() ->
                masquerade
                        ? "masqueraded: it comes from this node itself, which has the ClusterIP"
                        : "kept: nothing is configured that tells pods of this node from others";
            case ClusterIpMasquerade.UnlessFrom(LocalDetector pods) ->
                masquerade ? "masqueraded: it does not come " + words(pods) : "kept: it comes " + words(pods);
        };
    }

    private static String words(LocalDetector pods) {
        return switch (pods) {
            case LocalDetector.None() -> "from a pod";
            case LocalDetector.SourceIn(var network) -> "from the pod network " + network;
            case LocalDetector.FromBridge(String name) -> "through the pod bridge " + name;
            case LocalDetector.FromInterfacePrefix(String prefix) -> "through a pod interface " + prefix + "*";
        };
    }

    private PacketFate loadBalancer(PortPlan port, Packet packet) {
        // iptables mode has no source filter while there are no endpoints: all clients are rejected alike.
        if (isDenied(port, packet) && (port.hasEndpoints() || mode == ProxyMode.NFTABLES)) {
            return new Dropped(
                    Optional.of(port.port().name()),
                    packet.source() + " is in none of the Service's loadBalancerSourceRanges");
        }
        return external(port, packet, rejectsAtAddress(packet), "load-balancer IP");
    }

    private static boolean isDenied(PortPlan port, Packet packet) {
        return !port.allowedSources().isEmpty()
                && port.allowedSources().stream().noneMatch(range -> range.contains(packet.source()));
    }

    private PacketFate atNodePort(PortPlan port, Packet packet) {
        boolean captured = switch (plan.nodePorts()) {
            case NodePortMatch.AllLocal(boolean loopback) ->
                loopback || !packet.destination().isLoopback();
            case NodePortMatch.Only(List<Ip> addresses) -> addresses.contains(packet.destination());
        };
        if (captured) {
            return external(port, packet, true, "node port");
        }
        return switch (mode) {
            case NFTABLES -> unassigned(packet);
            case IPVS -> PacketFate.NOT_OURS;
            // The reject rules of iptables mode apply to every local address, captured or not.
            case IPTABLES ->
                switch (port.external()) {
                    case REJECT -> noEndpoints(port);
                    case DROP -> noLocalEndpoints(port);
                    case SERVE -> PacketFate.NOT_OURS;
                };
        };
    }

    private PacketFate external(PortPlan port, Packet packet, boolean rejects, String address) {
        if (!port.hasEndpoints()) {
            return rejects ? noEndpoints(port) : PacketFate.NOT_OURS;
        }
        if (!port.port().externalPolicyLocal()) {
            Reason always = new Reason(
                    address,
                    EVERY_ENDPOINT,
                    false,
                    "masqueraded: external traffic under externalTrafficPolicy Cluster always is");
            return forwarded(port, packet, port.cluster(), always);
        }
        // A virtual server has one list; the cluster's list is the ClusterIP's, unless its policy is Local, too.
        boolean aroundPolicy = mode != ProxyMode.IPVS || !port.port().internalPolicyLocal();
        if (aroundPolicy && matches(plan.localPods(), packet)) {
            Reason shortCut = new Reason(address, SHORT_CUT, true, "kept: it comes " + words(plan.localPods()));
            return forwarded(port, packet, port.cluster(), shortCut);
        }
        if (aroundPolicy && isLocal(packet.source())) {
            Reason shortCut = new Reason(address, SHORT_CUT, false, FROM_NODE);
            return forwarded(port, packet, port.cluster(), shortCut);
        }
        boolean keepsSource = aroundPolicy || !isLocal(packet.source());
        Reason local = new Reason(
                address,
                "those of this node: externalTrafficPolicy is Local",
                keepsSource,
                keepsSource ? "kept: externalTrafficPolicy is Local" : FROM_NODE);
        return port.external() == Handling.DROP
                ? withoutLocal(port, packet)
                : forwarded(port, packet, port.local(), local);
    }

    /**
     * nftables mode rejects packets to a known ClusterIP on an unknown port, and drops packets to a ClusterIP that no Service has,
     * unless they come from elsewhere and the address is the node's own.
     */
    private PacketFate unassigned(Packet packet) {
        if (isLocal(packet.destination()) && !isFromNode(packet)) {
            return PacketFate.NOT_OURS;
        }
        return ports.stream()
                .filter(port -> port.port().clusterIp().equals(packet.destination()))
                .findFirst()
                .<PacketFate>map(port -> new Rejected(
                        withoutPort(port, packet),
                        "the Service has no such port: " + packet.port() + "/" + packet.protocol()))
                .orElseGet(() -> unknown(packet.destination()));
    }

    /** In IPVS mode addresses of Services are the node's own, and closed except for their ports; they answer ping. */
    private PacketFate closed(Packet packet) {
        if (isLocal(packet.destination())) {
            return PacketFate.NOT_OURS;
        }
        return ports.stream()
                .filter(port -> port.port().clusterIp().equals(packet.destination())
                        || port.port().externalIps().contains(packet.destination())
                        || port.port().loadBalancerIps().contains(packet.destination()))
                .findFirst()
                .<PacketFate>map(port -> new Rejected(
                        withoutPort(port, packet),
                        "the Service has no such port: " + packet.port() + "/" + packet.protocol()))
                .orElse(PacketFate.NOT_OURS);
    }

    /** The Service without a port, for packets to none of its ports. */
    private static ServicePortName withoutPort(PortPlan port, Packet packet) {
        return new ServicePortName(port.port().name().service(), "", packet.protocol());
    }

    private PacketFate unknown(Ip destination) {
        return plan.serviceCidrs().stream().anyMatch(network -> network.contains(destination))
                ? new Dropped(Optional.empty(), "no Service has the ClusterIP " + destination)
                : PacketFate.NOT_OURS;
    }

    /**
     * In iptables mode the reject and drop rules of ClusterIPs are in OUTPUT and FORWARD only: where the node has the address itself, as
     * with a DNS cache, packets from elsewhere reach its own sockets.
     */
    private boolean refusesAtClusterIp(Packet packet) {
        return mode != ProxyMode.IPTABLES || isFromNode(packet) || !isLocal(packet.destination());
    }

    /**
     * In iptables mode the reject rules of external destinations are in INPUT and FORWARD only; what the node itself sends to such
     * an address follows the node's routes.
     */
    private boolean rejectsAtAddress(Packet packet) {
        return switch (mode) {
            case NFTABLES, IPVS -> true;
            case IPTABLES ->
                switch (packet.origin()) {
                    case Packet.Origin.ThisNode() -> isLocal(packet.destination());
                    case Packet.Origin.Interface ignored -> true;
                };
        };
    }

    /**
     * An endpoint that connects to itself through a Service must see another source, or its answer would not come back through the
     * node.
     */
    private PacketFate forwarded(PortPlan port, Packet packet, List<Backend> backends, Reason reason) {
        return new Forwarded(
                port.port().name(),
                reason,
                backends.stream()
                        .map(to -> new Hop(to, !reason.keepsSource() || seesItself(to, packet)))
                        .toList());
    }

    /** nftables mode knows this node's endpoints only, as kube-proxy does; hairpins of endpoints elsewhere rarely pass this node. */
    private boolean seesItself(Backend to, Packet packet) {
        boolean known = switch (mode) {
            case NFTABLES, IPVS -> to.local();
            case IPTABLES -> true;
        };
        return known && to.address().ip().equals(packet.source());
    }

    /** Packets of the node itself reach IPVS, which rejects them, before any rule that could drop them. */
    private PacketFate withoutLocal(PortPlan port, Packet packet) {
        return mode == ProxyMode.IPVS && isFromNode(packet)
                ? new Rejected(port.port().name(), "the traffic policy is Local and no endpoint serves on this node")
                : noLocalEndpoints(port);
    }

    private static boolean isFromNode(Packet packet) {
        return switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> true;
            case Packet.Origin.Interface ignored -> false;
        };
    }

    private static PacketFate noEndpoints(PortPlan port) {
        return new Rejected(port.port().name(), "no endpoint serves anywhere");
    }

    private static PacketFate noLocalEndpoints(PortPlan port) {
        return new Dropped(
                Optional.of(port.port().name()), "the traffic policy is Local and no endpoint serves on this node");
    }

    private boolean isLocal(Ip ip) {
        return ip.isLoopback() || node.addresses().contains(ip);
    }

    private static boolean matches(LocalDetector pods, Packet packet) {
        return switch (pods) {
            case LocalDetector.None() -> false;
            case LocalDetector.SourceIn(var network) -> network.contains(packet.source());
            case LocalDetector.FromBridge(String name) ->
                packet.origin() instanceof Packet.Origin.Interface(String in) && in.equals(name);
            case LocalDetector.FromInterfacePrefix(String prefix) ->
                packet.origin() instanceof Packet.Origin.Interface(String in) && in.startsWith(prefix);
        };
    }
}
