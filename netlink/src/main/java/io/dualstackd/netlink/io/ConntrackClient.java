package io.dualstackd.netlink.io;

import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.ConntrackMessages;
import io.dualstackd.netlink.conntrack.ConntrackStats;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowView;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists and deletes the tracked connections of one network namespace. For one thread at a time. */
public final class ConntrackClient implements AutoCloseable {
    /** The most attempts to read a list that changes meanwhile; after that the result may be incomplete. */
    public static final int WALK_ATTEMPTS = 5;

    /** How many connections one datagram deletes or adds: it stays below the size that needs a buffer of its own. */
    static final int CHUNK = 256;

    private static final int CHANGE_ATTEMPTS = 5;
    private static final Set<Errno> TRY_AGAIN = Set.of(Errno.EBUSY, Errno.EINTR, Errno.EAGAIN);

    /** Two connections, because a socket carries one dump at a time, and entries are deleted while the dump is read. */
    private final NetlinkConnection reading;

    private final NetlinkConnection changing;
    private final NlWriter writer = new NlWriter();

    public ConntrackClient(NetlinkConnection reading, NetlinkConnection changing) {
        this.reading = reading;
        this.changing = changing;
    }

    /** Through two of these sockets. */
    public static ConntrackClient open(NetlinkSockets sockets) throws NetlinkException {
        NetlinkConnection reading = new NetlinkConnection(sockets.open(NlProtocol.NETFILTER));
        try {
            return new ConntrackClient(reading, new NetlinkConnection(sockets.open(NlProtocol.NETFILTER)));
        } catch (NetlinkException e) {
            reading.close();
            throw e;
        }
    }

    /**
     * Returns how full the table is. Every kernel with {@code nf_conntrack_netlink} answers this.
     *
     * @throws NetlinkException.Refused with {@code EINVAL} when the kernel has no {@code nf_conntrack_netlink}, neither built in
     *     nor as a module it could load
     */
    public ConntrackStats stats() throws NetlinkException {
        return reading.get(
                new Request("get conntrack statistics", ConntrackMessages.GET_STATS, 0, ConntrackStats::writeAsk),
                ConntrackStats::read);
    }

    /**
     * Returns all connections that match, each decoded in full. For small tables; {@link #deleteIf} does not keep any.
     *
     * @throws NetlinkException.DumpInterrupted when the table changed too much while it was read
     */
    public List<ConntrackEntry> list(FlowFilter filter) throws NetlinkException {
        return reading.dump(listRequest(filter), ConntrackEntry::read);
    }

    /** Passes each connection that matches, decoded on demand, to a visitor, and keeps none of them. What begins or ends meanwhile may be missing. */
    public void each(FlowFilter filter, Consumer<FlowView> visitor) throws NetlinkException {
        boolean ignored = reading.dumpOnce(listRequest(filter), message -> visitor.accept(FlowView.read(message)));
    }

    /**
     * The result of a walk.
     *
     * @param seen connections the kernel listed
     * @param deleted those that this call deleted; without those that had ended before
     * @param complete whether the kernel listed all connections; if false, it was tried {@link #WALK_ATTEMPTS} times
     */
    public record Walk(long seen, long deleted, boolean complete) {}

    /**
     * Walks over the connections that match and deletes those that {@code doomed} accepts. Keeps at most {@link #CHUNK} of them at a time,
     * whatever the size of the table. Kernels before 5.8 ignore the filter, so {@code doomed} must check everything.
     *
     * @throws NetlinkException.Refused when a connection cannot be deleted although it exists; the walk has then been finished
     * @throws NetlinkException when the answer to a deletion is missing; nothing more was deleted then
     */
    public Walk deleteIf(FlowFilter filter, Predicate<FlowView> doomed) throws NetlinkException {
        Deleting deleting = new Deleting(doomed);
        for (int attempt = 0; attempt < WALK_ATTEMPTS; attempt++) {
            deleting.seen = 0;
            boolean complete = reading.dumpOnce(listRequest(filter), deleting::onEntry);
            deleting.finish();
            if (complete) {
                return new Walk(deleting.seen, deleting.deleted, true);
            }
        }
        return new Walk(deleting.seen, deleting.deleted, false);
    }

    private static Request listRequest(FlowFilter filter) {
        return new Request("list " + filter, ConntrackMessages.GET, 0, filter::writeTo);
    }

    /** Collects the connections to be deleted, and sends them in chunks while the list is still being received. */
    private final class Deleting {
        private final Predicate<FlowView> doomed;
        private final List<ConntrackEntry> chunk = new ArrayList<>();
        private long seen;
        private long deleted;
        private @Nullable NetlinkException failure;

        Deleting(Predicate<FlowView> doomed) {
            this.doomed = doomed;
        }

        void onEntry(NlMessage message) throws DecodeException {
            seen++;
            FlowView flow = FlowView.read(message);
            if (doomed.test(flow)) {
                chunk.add(flow.entry());
                if (chunk.size() == CHUNK) {
                    flush();
                }
            }
        }

        /** Must not abort the list: the kernel would refuse the next one on this socket. */
        private void flush() {
            try {
                // Behind an answer that is missing no other is waited for: each may take as long.
                if (failure == null || failure instanceof NetlinkException.Refused) {
                    deleted += delete(chunk);
                }
            } catch (NetlinkException.Refused e) {
                failure = failure == null ? e : failure;
            } catch (NetlinkException e) {
                failure = e;
            }
            chunk.clear();
        }

        void finish() throws NetlinkException {
            flush();
            if (failure != null) {
                throw failure;
            }
        }
    }

    /**
     * Deletes connections. A connection that is gone already, or was replaced by a newer one, is skipped.
     *
     * @return how many existed and were deleted
     * @throws NetlinkException.Refused for the first that could not be deleted; the others are deleted
     */
    public int delete(List<ConntrackEntry> entries) throws NetlinkException {
        return change("delete", ConntrackMessages.DELETE, 0, entries, ConntrackEntry::writeNames, Errno.ENOENT);
    }

    /**
     * Adds connections as if packets had been received.
     *
     * @return how many did not exist before
     * @throws NetlinkException.Refused for the first that could not be added
     */
    public int add(List<ConntrackEntry> entries) throws NetlinkException {
        int flags = NlFlags.CREATE | NlFlags.EXCLUSIVE;
        return change("add", ConntrackMessages.NEW, flags, entries, ConntrackEntry::writeTo, Errno.EEXIST);
    }

    /** @param harmless the error which means that there is nothing to do */
    private int change(
            String verb,
            int type,
            int flags,
            List<ConntrackEntry> entries,
            BiConsumer<ConntrackEntry, NlWriter> writing,
            Errno harmless)
            throws NetlinkException {
        int changed = 0;
        NetlinkException.@Nullable Refused failure = null;
        for (int from = 0; from < entries.size(); from += CHUNK) {
            List<ConntrackEntry> left = entries.subList(from, Math.min(from + CHUNK, entries.size()));
            for (int attempt = 1; !left.isEmpty(); attempt++) {
                List<Request> requests = left.stream()
                        .map(entry -> new Request(verb, type, flags, to -> writing.accept(entry, to)))
                        .toList();
                Map<Integer, Refusal> refused =
                        changing.independent(verb + " " + left.size() + " flows", writer, requests);
                List<ConntrackEntry> again = new ArrayList<>();
                for (Map.Entry<Integer, Refusal> one : refused.entrySet()) {
                    ConntrackEntry entry = left.get(one.getKey());
                    Errno errno = one.getValue().errno();
                    if (TRY_AGAIN.contains(errno) && attempt < CHANGE_ATTEMPTS) {
                        again.add(entry);
                    } else if (!errno.equals(harmless) && failure == null) {
                        failure = new NetlinkException.Refused(verb + " flow " + entry, one.getValue());
                    }
                }
                changed += left.size() - refused.size();
                left = again;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return changed;
    }

    @Override
    public void close() {
        reading.close();
        changing.close();
    }
}
