package io.dualstackd.explain.trace;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.explain.trace.TracedPacket.Fate;
import java.util.List;
import java.util.Optional;

/** Compares what happened to a packet with what was planned. */
public final class TraceDifference {
    private TraceDifference() {}

    /** The difference in words; empty when there is none. A packet of a known connection goes where the first one went. */
    public static Optional<String> of(PacketFate planned, TracedPacket packet) {
        if (packet.known() && (packet.passed() || planned instanceof PacketFate.Forwarded)) {
            return packet.passed() ? Optional.empty() : Optional.of("it should pass");
        }
        return switch (planned) {
            case PacketFate.Forwarded(var service, var reason, List<Hop> hops) -> forwarded(hops, packet);
            case PacketFate.Rejected(var service, String why) ->
                packet.end().fate() == Fate.REJECTED ? Optional.empty() : Optional.of("it should be refused: " + why);
            case PacketFate.Dropped(var service, String why) ->
                packet.end().fate() == Fate.DROPPED ? Optional.empty() : Optional.of("it should be dropped: " + why);
            case PacketFate.NotOurs() -> Optional.empty();
        };
    }

    private static Optional<String> forwarded(List<Hop> hops, TracedPacket packet) {
        List<Hop> same = hops.stream()
                .filter(hop -> hop.to().address().equals(packet.last().destination()))
                .toList();
        if (same.isEmpty()) {
            return Optional.of("it should be forwarded to "
                    + (hops.size() == 1 ? hops.getFirst().to().address() : "one of " + hops.size() + " endpoints"));
        }
        if (!packet.passed()) {
            return Optional.of("it should reach " + packet.last().destination());
        }
        boolean changed = packet.masqueraded().isPresent();
        // What comes in for a process of this node is marked for the masquerade, but does not come to its rules.
        boolean staysHere =
                packet.end().fate() == Fate.DELIVERED && !packet.in().isEmpty();
        if (same.stream()
                .noneMatch(hop -> (hop.masqueraded() && !staysHere) ? changed || packet.masquerade() : !changed)) {
            return Optional.of("its source should be " + (changed ? "kept" : "masqueraded"));
        }
        return Optional.empty();
    }
}
