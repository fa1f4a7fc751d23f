package io.dualstackd.explain.trace;

import io.dualstackd.netlink.nft.trace.TraceMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Sorts messages by packet. Messages about packets that others trace are left out. For one thread. */
public final class PacketSorter {
    /** After this time without a message nothing more is to come: the kernel processes a packet at once. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final TraceFilter filter;
    private final List<RawPacket> open = new ArrayList<>();

    public PacketSorter(TraceFilter filter) {
        this.filter = filter;
    }

    /**
     * Takes a message.
     *
     * @param nanos the time on a steady clock
     * @return the packet, when this was its last message
     */
    public Optional<RawPacket> take(TraceMessage message, Instant now, long nanos) {
        Optional<PacketHeader> header = PacketHeader.of(message);
        Optional<RawPacket> packet = find(message, header);
        if (packet.isEmpty() && TraceTable.begins(message.chain())) {
            packet = header.filter(this::isWanted).map(first -> new RawPacket(now, first));
            packet.ifPresent(open::add);
        }
        packet.ifPresent(one -> one.add(message, header, nanos));
        Optional<RawPacket> ended = packet.filter(RawPacket::hasEnded);
        ended.ifPresent(open::remove);
        return ended;
    }

    /** Removes and returns those of which nothing was heard for a while. */
    public List<RawPacket> quiet(long nanos) {
        List<RawPacket> quiet = open.stream()
                .filter(packet -> nanos - packet.lastNanos() > QUIET.toNanos())
                .toList();
        open.removeAll(quiet);
        return quiet;
    }

    /** Removes and returns all that have not ended. */
    public List<RawPacket> rest() {
        List<RawPacket> rest = List.copyOf(open);
        open.clear();
        return rest;
    }

    private Optional<RawPacket> find(TraceMessage message, Optional<PacketHeader> header) {
        boolean begins = TraceTable.begins(message.chain());
        boolean returns = message.in() == RawPacket.LOOPBACK;
        if (begins) {
            return header.flatMap(now -> latest(packet -> returns && packet.isLooping() && packet.mayHave(now)));
        }
        Optional<RawPacket> known = latest(packet -> packet.hasId(message.id()));
        // Two connections may go to one endpoint at the same time: what has both ends right comes first.
        return known.or(() -> header.flatMap(now -> latest(packet -> packet.has(now))))
                .or(() -> header.flatMap(now -> latest(packet -> packet.hasSourcePort(now))))
                .or(() -> header.flatMap(now -> latest(packet -> packet.mayHave(now))));
    }

    private Optional<RawPacket> latest(Predicate<RawPacket> which) {
        return open.reversed().stream().filter(which).findFirst();
    }

    private boolean isWanted(PacketHeader header) {
        return header.source().ip().equals(filter.source())
                && header.destination().ip().equals(filter.destination())
                && header.destination().port() == filter.port();
    }
}
