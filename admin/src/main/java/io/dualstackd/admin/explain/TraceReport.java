package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.trace.TraceDifference;
import io.dualstackd.explain.trace.TraceResult;
import io.dualstackd.explain.trace.TracedPacket;
import java.util.Optional;

/** What was seen of packets, and what was planned for them. */
public sealed interface TraceReport {
    /** Nothing was traced. */
    record Refused(String why) implements TraceReport {}

    /**
     * Packets were looked for.
     *
     * @param planned what the daemon planned when the trace was over
     */
    record Seen(TraceRequest request, TraceResult.Traced traced, PacketFate planned) implements TraceReport {
        /** Whether a packet was seen, and every one went as planned. */
        public boolean isGood() {
            return !traced.packets().isEmpty()
                    && traced.packets().stream()
                            .allMatch(packet -> difference(packet).isEmpty());
        }

        /** How a packet deviates from what was planned, in words. */
        Optional<String> difference(TracedPacket packet) {
            return TraceDifference.of(planned, packet);
        }

        /** The Service that was planned to receive the packets. */
        Optional<String> service() {
            return switch (planned) {
                case PacketFate.Forwarded forwarded ->
                    Optional.of(forwarded.service() + ", by its "
                            + forwarded.reason().address());
                case PacketFate.Rejected rejected ->
                    Optional.of(rejected.service().toString());
                case PacketFate.Dropped dropped -> dropped.service().map(Object::toString);
                case PacketFate.NotOurs() -> Optional.empty();
            };
        }
    }
}
