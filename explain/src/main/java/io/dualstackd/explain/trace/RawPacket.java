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
        return !messages.isEmpty() && messages.getLast().out() == LOOPBACK;
    }

    /** Whether a message with this header can be about it: at most one end of a connection is translated at one place. */
    boolean mayHave(PacketHeader header) {
        return header.source().port() == present.source().port()
                || header.destination().equals(present.destination());
    }

    void add(TraceMessage message, Optional<PacketHeader> header, long nanos) {
        messages.add(message);
        header.ifPresent(now -> present = now);
        id = message.id();
        lastNanos = nanos;
        boolean leaves = TraceTable.endsOutside(message.chain()) && message.out() != LOOPBACK;
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
