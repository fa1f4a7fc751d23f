package io.dualstackd.explain.io;

import io.dualstackd.dataplane.io.NetfilterAdvice;
import io.dualstackd.explain.trace.PacketSorter;
import io.dualstackd.explain.trace.RawPacket;
import io.dualstackd.explain.trace.TraceFilter;
import io.dualstackd.explain.trace.TraceResult;
import io.dualstackd.explain.trace.TraceTable;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.explain.trace.WayReader;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.trace.TraceMessage;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Follows real packets through the chains of nf_tables, for a bounded time. One trace at a time. Nothing stays in the kernel, whatever happens:
 * the table that switches tracing on goes with the socket that made it.
 */
public final class PacketTracer {
    /** How often the end is checked for while nothing arrives. */
    private static final Duration SLICE = Duration.ofMillis(100);

    private static final Set<Errno> NO_OWNER = Set.of(Errno.EINVAL, Errno.EOPNOTSUPP);

    /** The messages of some hundred packets. A limit, not memory taken. */
    private static final int RECEIVE_BUFFER = 4 << 20;

    private final NetNs ns;
    private final int receiveBuffer;
    private final AtomicBoolean busy = new AtomicBoolean();

    public PacketTracer(NetNs ns) {
        this(ns, RECEIVE_BUFFER);
    }

    /** @param receiveBuffer bytes of messages that may wait to be read */
    PacketTracer(NetNs ns, int receiveBuffer) {
        this.ns = ns;
        this.receiveBuffer = receiveBuffer;
    }

    /**
     * What to do.
     *
     * @param nodeAddresses the node's own addresses of the family
     * @param count ends the trace when so many packets have been seen
     * @param time ends it in any case
     */
    public record Order(TraceFilter filter, Set<Ip> nodeAddresses, int count, Duration time) {
        public Order {
            nodeAddresses = Set.copyOf(nodeAddresses);
        }
    }

    /**
     * Traces, and returns when it is over. May be called from any thread, also from a virtual one.
     *
     * @param listening called once matching packets are traced
     * @param gone whether the result is not wanted any more; asked several times a second
     */
    public TraceResult trace(Order order, Runnable listening, BooleanSupplier gone) throws InterruptedException {
        return trace(order, listening, packet -> {}, gone);
    }

    /**
     * As {@link #trace(Order, Runnable, BooleanSupplier)}.
     *
     * @param seen receives each packet as soon as its way is known, on the thread that reads from the kernel
     */
    public TraceResult trace(Order order, Runnable listening, Consumer<TracedPacket> seen, BooleanSupplier gone)
            throws InterruptedException {
        if (!busy.compareAndSet(false, true)) {
            return new TraceResult.Refused("another trace is under way; there is one at a time");
        }
        // Reading from a netlink socket would occupy the carrier of a virtual thread.
        FutureTask<TraceResult> task = new FutureTask<>(() -> {
            try {
                return new Run(order, seen, gone).result(listening);
            } finally {
                busy.set(false);
            }
        });
        Thread.ofPlatform().name("packet-trace").daemon().start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NetlinkException failed) {
                return new TraceResult.Refused(NetfilterAdvice.of(failed));
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private final class Run {
        private final Order order;
        private final Consumer<TracedPacket> seen;
        private final BooleanSupplier gone;
        private final PacketSorter sorter;
        private final List<TracedPacket> packets = new ArrayList<>();
        private boolean lost;

        Run(Order order, Consumer<TracedPacket> seen, BooleanSupplier gone) {
            this.order = order;
            this.seen = seen;
            this.gone = gone;
            this.sorter = new PacketSorter(order.filter());
        }

        TraceResult result(Runnable listening) throws NetlinkException {
            try (NlSocket messages = NlSocket.open(NlProtocol.NETFILTER, ns, receiveBuffer);
                    NftClient owner = NftClient.open(ns);
                    KernelNames names =
                            new KernelNames(NftClient.open(ns), ns, order.filter(), order.nodeAddresses())) {
                messages.receiveOnly((bytes, offset, length) ->
                        (bytes.getShort(offset + Short.BYTES * 2) & 0xffff) == NftMessageType.TRACE);
                messages.join(TraceMessage.GROUP);
                Optional<String> refused = refusal(apply(owner, order.filter(), NftTable.OWNER));
                if (refused.isPresent()) {
                    return new TraceResult.Refused(refused.get());
                }
                names.readChains();
                listening.run();
                follow(messages, owner, new WayReader(names));
                return new TraceResult.Traced(packets, lost, notSeen());
            }
        }

        private void follow(NlSocket messages, NftClient owner, WayReader reader) throws NetlinkException {
            long end = System.nanoTime() + order.time().toNanos();
            while (!enough() && !gone.getAsBoolean() && System.nanoTime() < end) {
                long left = Math.max(0, end - System.nanoTime());
                receive(messages, left < SLICE.toNanos() ? Duration.ofNanos(left) : SLICE, reader);
                sorter.quiet(System.nanoTime()).forEach(packet -> done(packet, reader));
            }
            owner.close();
            while (!enough() && receive(messages, Duration.ZERO, reader)) {
                // What was sent before the table went.
            }
            sorter.rest().forEach(packet -> done(packet, reader));
        }

        private boolean enough() {
            return packets.size() >= order.count();
        }

        /** Returns false when nothing arrived in time. */
        private boolean receive(NlSocket messages, Duration timeout, WayReader reader) throws NetlinkException {
            switch (messages.receive(timeout)) {
                case Arrival.Messages arrived -> {
                    for (NlMessage message : arrived.messages()) {
                        take(message).ifPresent(packet -> done(packet, reader));
                    }
                    return true;
                }
                case Arrival.Overrun ignored -> {
                    lost = true;
                    return true;
                }
                case Arrival.Silence ignored -> {
                    return false;
                }
            }
        }

        private Optional<RawPacket> take(NlMessage message) throws NetlinkException {
            try {
                return sorter.take(TraceMessage.read(message), Instant.now(), System.nanoTime());
            } catch (DecodeException e) {
                throw new NetlinkException.Malformed("trace message", e);
            }
        }

        private void done(RawPacket packet, WayReader reader) {
            if (!enough()) {
                TracedPacket read = reader.read(packet);
                packets.add(read);
                seen.accept(read);
            }
        }

        private List<String> notSeen() {
            IpFamily family = order.filter().destination().family();
            List<String> notSeen = new ArrayList<>();
            try {
                Set<String> tables = XtTableClient.tables(family, ns);
                if (!tables.isEmpty()) {
                    notSeen.add("tables of iptables legacy (" + String.join(", ", tables) + ")");
                }
            } catch (IOException e) {
                notSeen.add("tables of iptables legacy: " + e.getMessage());
            }
            return notSeen;
        }
    }

    /** Makes the table, which goes with {@code owner}. */
    static NftOutcome apply(NftClient owner, TraceFilter filter, int flags) {
        try (NftBatch batch = TraceTable.create(filter, flags)) {
            return owner.apply(batch);
        }
    }

    /** Why the kernel did not make the table; empty when it did. */
    static Optional<String> refusal(NftOutcome outcome) {
        return switch (outcome) {
            case NftOutcome.Applied ignored -> Optional.empty();
            case NftOutcome.Refused(List<NftOutcome.Problem> problems)
            when NO_OWNER.contains(problems.getFirst().refusal().errno())
                    && problems.getFirst().index() == 0 ->
                Optional.of("this kernel has no tables with an owner (Linux 5.12 or later has): tracing would remain"
                        + " after the program was killed. 'dualstackd explain' says what should happen to a packet");
            case NftOutcome.Refused(List<NftOutcome.Problem> problems) ->
                Optional.of("tracing cannot be limited to these packets: "
                        + problems.getFirst().operation() + ": "
                        + NetfilterAdvice.of(problems.getFirst().refusal()));
            case NftOutcome.Outdated ignored -> Optional.of("the rules of this host were changed meanwhile; try again");
            case NftOutcome.Unreachable(NetlinkException reason) -> Optional.of(NetfilterAdvice.of(reason));
        };
    }
}
