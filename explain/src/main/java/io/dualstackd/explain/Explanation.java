package io.dualstackd.explain;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;
import java.util.Optional;

/**
 * What happens to the first packet of a connection on this node now, why, and whether the kernel agrees.
 *
 * @param mode the proxy mode
 * @param fate what the plans predict
 * @param pinned the one of several endpoints that affinity has bound the client to
 * @param notes further remarks about the packet
 * @param kernel what the kernel's rules for Services do
 * @param host what else on this host the packet meets; empty when it goes no further
 */
public record Explanation(
        Packet packet,
        ProxyMode mode,
        PacketFate fate,
        Optional<IpPort> pinned,
        List<Note> notes,
        KernelFindings kernel,
        Agreement agreement,
        Optional<HostPath> host) {
    public Explanation {
        notes = List.copyOf(notes);
    }

    /**
     * Combines the prediction and the findings.
     *
     * @param services those that may match the packet
     */
    public static Explanation of(
            Packet packet,
            ProxyMode mode,
            Planner planner,
            List<ServicePlan> services,
            PacketFate fate,
            KernelFindings kernel,
            Optional<HostPath> host) {
        boolean sticky =
                fate instanceof PacketFate.Forwarded forwarded && ExplanationNotes.isSticky(forwarded, services);
        return new Explanation(
                packet,
                mode,
                fate,
                ExplanationNotes.pinned(fate, kernel, services),
                ExplanationNotes.of(packet, planner, services, fate, kernel),
                kernel,
                Agreement.of(fate, kernel, sticky),
                host);
    }
}
