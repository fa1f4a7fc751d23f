package io.dualstackd.explain.trace;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.trace.TraceMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A packet whose messages are being received. Changes with each of them. */
public final class RawPacket {
    /** The interface {@code lo} has this index in every network namespace. */
    static final int LOOPBACK = 1;

    private static final int CODE = 0xff;
    private static final int STOLEN = 2;

    private final Instant since;
    private final PacketHeader first;
    private final List<TraceMessage> messages = new ArrayList<>();
    private PacketHeader present;
    private long lastNanos;
    private int id;
    /** The last interface that was named: of the messages in a chain only the first one does. */
    private int out;

    private boolean ended;

    RawPacket(Instant since, PacketHeader first) {
        this.since = since;
        this.first = first;
        this.present = first;
    }

    /** When its first message was received. */
    public Instant since() {
        return since;
    }

    /** Its header before anything changed it. */
    public PacketHeader first() {
        return first;
    }

    /** Its messages so far, in order. */
    public List<TraceMessage> messages() {
        return List.copyOf(messages);
    }

    /** Index of the interface it leaves through, as far as is known; 0 for none. */
    int out() {
        return out;
    }

    /** Whether its way on this node is over. */
    boolean hasEnded() {
        return ended;
    }

    long lastNanos() {
        return lastNanos;
    }

    boolean hasId(int other) {
        return id == other;
    }

    /** Whether it was sent through {@code lo} and comes back in. */
    boolean isLooping() {
        return out == LOOPBACK && TraceTable.endsOutside(messages.getLast().chain());
    }

    /** Whether its header is this one now. */
    boolean has(PacketHeader header) {
        return hasSourcePort(header) && header.destination().equals(present.destination());
    }

    boolean hasSourcePort(PacketHeader header) {
        return header.source().port() == present.source().port();
    }

    /** Whether a message with this header can be about it: at most one end of a connection is translated at one place. */
    boolean mayHave(PacketHeader header) {
        return hasSourcePort(header) || header.destination().equals(present.destination());
    }

    void add(TraceMessage message, Optional<PacketHeader> header, long nanos) {
        messages.add(message);
        header.ifPresent(now -> present = now);
        id = message.id();
        lastNanos = nanos;
        out = message.out() == 0 ? out : message.out();
        boolean leaves = TraceTable.endsOutside(message.chain()) && out != LOOPBACK;
        ended |= leaves
                || TraceTable.endsHere(message.chain())
                || message.verdict().filter(RawPacket::isFinal).isPresent();
    }

    /** Whether no other chain sees a packet with this verdict. */
    private static boolean isFinal(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Drop() -> true;
            case Verdict.Queue ignored -> true;
            case Verdict.Other(int code) -> (code & CODE) == 0 || (code & CODE) == STOLEN;
            case Verdict ignored -> false;
        };
    }
}
