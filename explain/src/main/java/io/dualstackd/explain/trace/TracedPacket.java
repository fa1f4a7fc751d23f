package io.dualstackd.explain.trace;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The way of a packet.
 *
 * @param since when it was first seen
 * @param in name of the interface it came in through; empty for a packet of this node
 * @param first its addresses and ports as it arrived
 * @param last the same where it was last seen
 * @param steps in the order in which it met them
 * @param masquerade whether a rule masqueraded it; its source stays the same when it already is the address of the interface
 * @param known whether it belongs to a connection that the kernel knew already: then the rules of type nat are not asked
 */
public record TracedPacket(
        Instant since,
        String in,
        PacketHeader first,
        PacketHeader last,
        List<TraceStep> steps,
        boolean masquerade,
        boolean known,
        TraceEnd end) {
    /** The fate of a packet. */
    public enum Fate {
        /** Given to the node's own sockets. */
        DELIVERED,
        /** Sent through an interface. */
        SENT,
        /** A rule rejected it, and its sender gets an error. */
        REJECTED,
        /** A rule or a policy dropped it. */
        DROPPED,
        /** Given to another program, by a rule. */
        QUEUED,
        /** Nothing more was seen of it. */
        VANISHED
    }

    /**
     * The end of its way.
     *
     * @param place the last chain, or for {@link Fate#SENT} the interface
     */
    public record TraceEnd(Fate fate, String place) {}

    public TracedPacket {
        steps = List.copyOf(steps);
    }

    /** Its new destination, if it got one. */
    public Optional<IpPort> translated() {
        return first.destination().equals(last.destination()) ? Optional.empty() : Optional.of(last.destination());
    }

    /** Its new source address, if it got one. */
    public Optional<Ip> masqueraded() {
        return first.source().ip().equals(last.source().ip())
                ? Optional.empty()
                : Optional.of(last.source().ip());
    }

    /** Whether no rule stopped it. */
    public boolean passed() {
        return end.fate() == Fate.DELIVERED || end.fate() == Fate.SENT;
    }
}
