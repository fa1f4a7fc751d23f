package io.dualstackd.explain;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.TopologyHints;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The notes of an explanation: affinity, topology hints, and near matches of a packet that no Service takes. */
final class ExplanationNotes {
    private final Packet packet;
    private final Planner planner;
    private final List<ServicePlan> services;

    private ExplanationNotes(Packet packet, Planner planner, List<ServicePlan> services) {
        this.packet = packet;
        this.planner = planner;
        this.services = services;
    }

    static List<Note> of(
            Packet packet, Planner planner, List<ServicePlan> services, PacketFate fate, KernelFindings kernel) {
        ExplanationNotes explanationNotes = new ExplanationNotes(packet, planner, services);
        List<Note> all = new ArrayList<>();
        switch (fate) {
            case PacketFate.Forwarded forwarded -> all.addAll(explanationNotes.forwarded(forwarded, kernel));
            case PacketFate.Rejected ignored -> explanationNotes.otherPorts().ifPresent(all::add);
            case PacketFate.NotOurs() -> {
                explanationNotes.otherPorts().ifPresent(all::add);
                explanationNotes.nodePortElsewhere().ifPresent(all::add);
            }
            case PacketFate.Dropped ignored -> {}
        }
        return List.copyOf(all);
    }

    /** The one endpoint of several that affinity has bound the client to, as found in the kernel. */
    static Optional<IpPort> pinned(PacketFate fate, KernelFindings kernel, List<ServicePlan> services) {
        return fate instanceof PacketFate.Forwarded forwarded
                        && forwarded.hops().size() > 1
                        && isSticky(forwarded, services)
                        && kernel instanceof KernelFindings.Found found
                        && found.ends().size() == 1
                ? found.ends().getFirst().translated()
                : Optional.empty();
    }

    static boolean isSticky(PacketFate.Forwarded forwarded, List<ServicePlan> services) {
        return seconds(forwarded, services).isPresent();
    }

    private static Optional<Integer> seconds(PacketFate.Forwarded forwarded, List<ServicePlan> services) {
        return services.stream()
                .flatMap(service -> service.port(forwarded.service()).stream())
                .map(port -> port.port().affinity())
                .flatMap(affinity -> affinity instanceof Affinity.ClientIp(int timeout)
                        ? Optional.of(timeout).stream()
                        : Optional.<Integer>empty().stream())
                .findFirst();
    }

    private List<Note> forwarded(PacketFate.Forwarded forwarded, KernelFindings kernel) {
        List<Note> all = new ArrayList<>();
        for (ServicePlan service : services) {
            Optional<PortPlan> plan = service.port(forwarded.service());
            boolean everyEndpoint = plan.filter(port ->
                            port.cluster().size() == forwarded.hops().size()
                                    && port.cluster().stream()
                                            .allMatch(backend -> forwarded.hops().stream()
                                                    .anyMatch(hop -> hop.to().equals(backend))))
                    .isPresent();
            if (everyEndpoint) {
                service.service().ports().stream()
                        .filter(port -> port.port().name().equals(forwarded.service()))
                        .findFirst()
                        .flatMap(TopologyHints.of(planner.node())::words)
                        .ifPresent(words -> all.add(new Note("topology", words)));
            }
        }
        seconds(forwarded, services).ifPresent(timeout -> {
            Optional<IpPort> bound = pinned(forwarded, kernel, services);
            String now = bound.map(to -> packet.source() + " is bound to " + to).orElseGet(() -> switch (kernel) {
                case KernelFindings.Silent ignored -> "whether " + packet.source() + " is bound was not asked";
                case KernelFindings.Found ignored ->
                    forwarded.hops().size() == 1
                            ? "there is one endpoint only"
                            : packet.source() + " is bound to none yet";
            });
            all.add(new Note("affinity", "ClientIP: a client stays with its endpoint for " + timeout + " s; " + now));
        });
        all.addAll(unmasked(forwarded));
        return all;
    }

    /** What comes in for a process of this node is marked for the masquerade, but goes to the input hook. */
    private List<Note> unmasked(PacketFate.Forwarded forwarded) {
        if (packet.origin() instanceof Packet.Origin.ThisNode
                || forwarded.reason().keepsSource()) {
            return List.of();
        }
        return forwarded.hops().stream()
                .map(hop -> hop.to().address())
                .filter(to -> planner.node().addresses().contains(to.ip()))
                .distinct()
                .map(to -> new Note(
                        "note",
                        to + " is this node itself, and sees " + packet.source()
                                + ": what comes in for a process here meets no rule that masquerades"))
                .toList();
    }

    /** The destination address is a Service's, but the port is not. */
    private Optional<Note> otherPorts() {
        return services.stream()
                .filter(service -> service.ports().stream().anyMatch(port -> has(port.port())))
                .filter(service -> service.ports().stream()
                        .map(PortPlan::port)
                        .noneMatch(port -> has(port)
                                && port.port() == packet.port()
                                && port.name().protocol().equals(packet.protocol())))
                .findFirst()
                .map(service -> new Note(
                        "note",
                        packet.destination() + " is " + service.key() + "'s, which has no port " + packet.port()
                                + "/" + packet.protocol() + " but "
                                + service.ports().stream()
                                        .map(port -> port.port().port() + "/"
                                                + port.port().name().protocol())
                                        .distinct()
                                        .collect(Collectors.joining(", "))));
    }

    private boolean has(ServicePort port) {
        Ip to = packet.destination();
        return port.clusterIp().equals(to)
                || port.externalIps().contains(to)
                || port.loadBalancerIps().contains(to);
    }

    /** The port is a node port, but node ports do not answer on this address of the node. */
    private Optional<Note> nodePortElsewhere() {
        boolean here =
                packet.destination().isLoopback() || planner.node().addresses().contains(packet.destination());
        if (!here) {
            return Optional.empty();
        }
        String where = switch (planner.nodePlan().nodePorts()) {
            case NodePortMatch.AllLocal ignored -> "does not answer on loopback addresses";
            case NodePortMatch.Only(List<Ip> addresses) ->
                addresses.isEmpty()
                        ? "answers on no address that this node has now"
                        : "answers on " + addresses.stream().map(Ip::toString).collect(Collectors.joining(", "))
                                + " only";
        };
        return services.stream()
                .flatMap(service -> service.ports().stream())
                .map(PortPlan::port)
                .filter(port -> port.nodePort() == packet.port()
                        && port.name().protocol().equals(packet.protocol()))
                .findFirst()
                .map(port ->
                        new Note("note", "port " + packet.port() + " is " + port.name() + "'s node port but " + where));
    }
}
