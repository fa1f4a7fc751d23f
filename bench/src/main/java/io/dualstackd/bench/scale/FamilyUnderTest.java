package io.dualstackd.bench.scale;

import com.sun.management.ThreadMXBean;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One family's data plane in one namespace. */
final class FamilyUnderTest implements AutoCloseable {
    private static final int RACES = 20;
    private static final int REHEARSED = 300;

    /** Kept in a field, because getting it allocates more than a change does. */
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Mode mode;
    private final Cluster cluster;
    private final NetNs ns;
    private final Wanted wanted;
    private final Recorder recorder;
    private final Syncer syncer;

    FamilyUnderTest(Mode mode, Cluster cluster, NetNs ns) throws NetlinkException {
        this.mode = mode;
        this.cluster = cluster;
        this.ns = ns;
        wanted = new Wanted(cluster);
        Recorder between = new Recorder(NlSocket.open(NlProtocol.NETFILTER, ns));
        recorder = between;
        syncer = mode.pass(cluster.family(), () -> between);
    }

    /** Starts recording the batches that {@link #taken} returns. */
    void record() {
        recorder.record();
    }

    /** Applies everything to an empty namespace. */
    SyncMeasurement load() {
        // As in the daemon while it reads the wanted state.
        syncer.warmUp(40, () -> false);
        recorder.take();
        return measure(syncer, Set.of());
    }

    /** Rehearses changes, as the daemon does once everything is in force. */
    boolean rehearse() {
        int rounds = syncer.warmUp(REHEARSED, () -> false);
        recorder.take();
        return rounds == REHEARSED;
    }

    SyncMeasurement change(ServiceChange serviceChange) {
        return measure(syncer, wanted.put(serviceChange));
    }

    /** Syncs as a new process does at its start: the whole wanted state, and no applied state. */
    SyncMeasurement restart() {
        try (Syncer other = mode.pass(cluster.family(), () -> NlSocket.open(NlProtocol.NETFILTER, ns))) {
            return measure(other, Set.of());
        }
    }

    private SyncMeasurement measure(Syncer which, Set<ServiceKey> changed) {
        long allocatedBefore = allocated();
        long cpuBefore = cpu();
        long start = System.nanoTime();
        SyncResult report = which.run(wanted.planner(), changed, wanted);
        // The other family's transaction came in between; the daemon, too, would start again at once.
        for (int races = 0; report.result() instanceof Result.Outdated && races < RACES; races++) {
            recorder.take();
            report = which.run(wanted.planner(), changed, wanted);
        }
        Span time = Span.since(start);
        long cpuNanos = cpu() - cpuBefore;
        if (report.needsRetry()) {
            throw new IllegalStateException("not in force: " + report);
        }
        return new SyncMeasurement(
                time,
                cpuNanos,
                report.messages(),
                report.bytes(),
                allocated() - allocatedBefore,
                Optional.empty(),
                Optional.empty());
    }

    /** The batches sent since the last call. */
    List<byte[]> taken() {
        return recorder.take();
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    @Override
    public void close() {
        syncer.close();
    }

    /** A transport that passes everything through and, after {@link #record}, keeps the batches, to be replayed. */
    private static final class Recorder extends ForwardingTransport {
        /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
        private static final int BATCH_BEGIN = 0x10;
        /** Bytes of that message without attributes. */
        private static final int BARE_BEGIN = 20;
        /** Offsets in {@code struct nlmsghdr}. */
        private static final int SEQUENCE = 8;

        private static final int SEQUENCE_END = 12;

        private final List<byte[]> batches = new ArrayList<>();
        private boolean recording;

        Recorder(NlTransport transport) {
            super(transport);
        }

        /** Starts keeping batches; before this nothing is copied, so a first load takes no additional memory. */
        void record() {
            recording = true;
        }

        /** The batches sent since the last call. */
        List<byte[]> take() {
            List<byte[]> taken = List.copyOf(batches);
            batches.clear();
            return taken;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            if (recording && writer.message(0).type() == BATCH_BEGIN) {
                byte[] batch = withoutGeneration(
                        writer.toByteArray(), writer.message(0).length());
                if (!batches.isEmpty() && areSame(batches.getLast(), batch)) {
                    // The other family's transaction was first, the kernel refused this one, and the same batch is sent
                    // again under new numbers.
                    batches.removeLast();
                }
                batches.add(batch);
            }
            super.send(writer);
        }

        /** Whether two batches differ in the sequence numbers of their messages at most. */
        private static boolean areSame(byte[] one, byte[] other) {
            if (one.length != other.length) {
                return false;
            }
            ByteBuffer messages = ByteBuffer.wrap(one).order(ByteOrder.nativeOrder());
            int at = 0;
            while (at < one.length) {
                int end = at + messages.getInt(at);
                if (!Arrays.equals(one, at, at + SEQUENCE, other, at, at + SEQUENCE)
                        || !Arrays.equals(one, at + SEQUENCE_END, end, other, at + SEQUENCE_END, end)) {
                    return false;
                }
                // A message is padded to a multiple of four bytes.
                at = (end + 3) & -4;
            }
            return true;
        }

        /** Removes the generation of the rule set that a batch may name; a twin of two families may have another one. */
        private static byte[] withoutGeneration(byte[] batch, int beginLength) {
            byte[] bare = new byte[batch.length - beginLength + BARE_BEGIN];
            System.arraycopy(batch, 0, bare, 0, BARE_BEGIN);
            System.arraycopy(batch, beginLength, bare, BARE_BEGIN, batch.length - beginLength);
            ByteBuffer.wrap(bare).order(ByteOrder.nativeOrder()).putInt(0, BARE_BEGIN);
            return bare;
        }
    }
}
