package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.trace.TraceDifference;
import io.dualstackd.explain.trace.TracedPacket;
import java.util.List;
import java.util.Optional;

/** What was seen of packets, and what was planned for them. */
public sealed interface TraceReport {
    /** No packet was traced. */
    record Refused(String why) implements TraceReport {}

    /**
     * Packets were looked for.
     *
     * @param packets in the order in which they ended
     * @param lost whether the kernel dropped messages, since they came faster than they were read
     * @param notSeen what was not traced, each in a few words
     */
    record Seen(TraceRequest request, List<Packet> packets, boolean lost, List<String> notSeen) implements TraceReport {
        public Seen {
            packets = List.copyOf(packets);
            notSeen = List.copyOf(notSeen);
        }

        /** Whether a packet was seen, and every one went as planned. */
        public boolean isGood() {
            return !packets.isEmpty()
                    && packets.stream().allMatch(packet -> packet.difference().isEmpty());
        }
    }

    /**
     * A packet that was seen.
     *
     * @param planned what the daemon planned for it when it had been seen
     */
    record Packet(TracedPacket traced, PacketFate planned) {
        /** How it deviates from what was planned, in words. */
        Optional<String> difference() {
            return TraceDifference.of(planned, traced);
        }

        /** The Service that was planned to receive it. */
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
