package io.dualstackd.bench;

import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.io.IptablesPass;
import io.dualstackd.dataplane.io.Pass;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One family's data plane in one namespace, perhaps with a twin namespace into which the same bytes are replayed. */
final class Line implements AutoCloseable {
    private final Cluster cluster;
    private final NetNs ns;
    private final Optional<Recorder> recorder;
    private final Optional<NlSocket> twin;
    private final Pass pass;
    private final Views views = new Views();

    Line(Cluster cluster, NetNs ns) throws NetlinkException {
        this.cluster = cluster;
        this.ns = ns;
        recorder = Optional.empty();
        twin = Optional.empty();
        pass = IptablesPass.of(cluster.family(), () -> NlSocket.open(NlProtocol.NETFILTER, ns));
    }

    Line(Cluster cluster, NetNs ns, NetNs twinNs) throws NetlinkException {
        this.cluster = cluster;
        this.ns = ns;
        Recorder between = new Recorder(NlSocket.open(NlProtocol.NETFILTER, ns));
        recorder = Optional.of(between);
        twin = Optional.of(NlSocket.open(NlProtocol.NETFILTER, twinNs));
        pass = IptablesPass.of(cluster.family(), () -> between);
    }

    /**
     * One measured pass.
     *
     * @param cpuNanos processor time of the thread, the kernel's part included
     * @param rawNanos the kernel alone; 0 when not measured
     * @param allocated bytes on the heap
     */
    record Measured(long nanos, long cpuNanos, long rawNanos, int messages, long bytes, long allocated) {
        static final Measured NOTHING = new Measured(0, 0, 0, 0, 0, 0);

        Measured plus(Measured other) {
            return new Measured(
                    nanos + other.nanos,
                    cpuNanos + other.cpuNanos,
                    rawNanos + other.rawNanos,
                    messages + other.messages,
                    bytes + other.bytes,
                    allocated + other.allocated);
        }

        Measured within(long newNanos) {
            return new Measured(newNanos, cpuNanos, rawNanos, messages, bytes, allocated);
        }
    }

    Cluster cluster() {
        return cluster;
    }

    Measured load() throws NetlinkException {
        return run(cluster.all());
    }

    Measured run(Map<ServiceKey, Optional<ServiceView>> changes) throws NetlinkException {
        Measured measured = measure(pass, views, changes);
        long raw = 0;
        if (recorder.isPresent() && twin.isPresent()) {
            for (byte[] batch : recorder.get().take()) {
                raw += replay(twin.get(), batch);
            }
        }
        return new Measured(
                measured.nanos(),
                measured.cpuNanos(),
                raw,
                measured.messages(),
                measured.bytes(),
                measured.allocated());
    }

    /** A new process would start like this: everything wanted, nothing believed. */
    Measured restart() {
        try (Pass other = IptablesPass.of(cluster.family(), () -> NlSocket.open(NlProtocol.NETFILTER, ns))) {
            return measure(other, new Views(), cluster.all());
        }
    }

    private Measured measure(Pass which, Views wanted, Map<ServiceKey, Optional<ServiceView>> changes) {
        wanted.put(changes);
        long allocatedBefore = allocated();
        long cpuBefore = cpu();
        long start = System.nanoTime();
        PassReport report = which.run(cluster.node(), changes.keySet(), wanted);
        long nanos = System.nanoTime() - start;
        long cpuNanos = cpu() - cpuBefore;
        if (report.needsRetry()) {
            throw new IllegalStateException("not in force: " + report);
        }
        return new Measured(nanos, cpuNanos, 0, report.messages(), report.bytes(), allocated() - allocatedBefore);
    }

    private static long replay(NlSocket into, byte[] batch) throws NetlinkException {
        NlWriter writer = new NlWriter(batch.length);
        writer.bytes(batch, 0, batch.length);
        long start = System.nanoTime();
        into.send(writer);
        long nanos = System.nanoTime() - start;
        while (!(into.receive(Duration.ZERO) instanceof Arrival.Silence)) {
            // Answers are read outside the measured time; the kernel's work is done when send returns.
        }
        return nanos;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Override
    public void close() {
        pass.close();
        twin.ifPresent(NlSocket::close);
    }
}
