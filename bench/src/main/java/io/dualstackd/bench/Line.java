package io.dualstackd.bench;

import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.io.DataplanePass;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One family's data plane in one namespace, with a twin namespace into which the same bytes are replayed. */
final class Line implements AutoCloseable {
    private final Cluster cluster;
    private final NetNs ns;
    private final Recorder recorder;
    private final DataplanePass pass;
    private final NlTransport twin;

    Line(Cluster cluster, NetNs ns, NetNs twinNs) throws NetlinkException {
        this.cluster = cluster;
        this.ns = ns;
        this.recorder = new Recorder(NlSocket.open(NlProtocol.NETFILTER, ns));
        this.pass = pass(recorder);
        this.twin = NlSocket.open(NlProtocol.NETFILTER, twinNs);
    }

    private DataplanePass pass(NlTransport transport) {
        return DataplanePass.iptables(cluster.family(), () -> transport);
    }

    /** One measured pass. */
    record Measured(long nanos, long cpuNanos, long rawNanos, int messages, long bytes, long allocated) {}

    Cluster cluster() {
        return cluster;
    }

    Measured run(Map<ServiceKey, Optional<ServiceView>> changes, boolean raw) throws NetlinkException {
        return measure(pass, changes, raw);
    }

    /** As the daemon does it: with two writers in one namespace a comparison may be outdated, and is made again. */
    Measured runUntilInForce(Map<ServiceKey, Optional<ServiceView>> changes) {
        long allocatedBefore = allocated();
        long cpuBefore = cpu();
        long start = System.nanoTime();
        PassReport report = pass.run(cluster.node(), changes);
        for (int again = 0; report.needsRetry() && again < 10; again++) {
            report = pass.run(cluster.node(), Map.of());
        }
        long nanos = System.nanoTime() - start;
        long cpuNanos = cpu() - cpuBefore;
        recorder.take();
        if (report.needsRetry()) {
            throw new IllegalStateException("not in force: " + report);
        }
        return new Measured(nanos, cpuNanos, 0, report.messages(), report.bytes(), allocated() - allocatedBefore);
    }

    /** A new process would start like this: everything wanted, nothing believed. */
    Measured restart() throws NetlinkException {
        try (DataplanePass other = pass(NlSocket.open(NlProtocol.NETFILTER, ns))) {
            return measure(other, cluster.all(), false);
        }
    }

    private Measured measure(DataplanePass which, Map<ServiceKey, Optional<ServiceView>> changes, boolean raw)
            throws NetlinkException {
        long allocatedBefore = allocated();
        long cpuBefore = cpu();
        long start = System.nanoTime();
        PassReport report = which.run(cluster.node(), changes);
        long nanos = System.nanoTime() - start;
        long cpuNanos = cpu() - cpuBefore;
        long allocated = allocated() - allocatedBefore;
        if (report.needsRetry()) {
            throw new IllegalStateException("not in force: " + report);
        }
        long rawNanos = 0;
        for (byte[] batch : recorder.take()) {
            if (raw) {
                rawNanos += replay(batch);
            }
        }
        return new Measured(nanos, cpuNanos, rawNanos, report.messages(), report.bytes(), allocated);
    }

    private long replay(byte[] batch) throws NetlinkException {
        NlWriter writer = new NlWriter(batch.length);
        writer.bytes(batch, 0, batch.length);
        long start = System.nanoTime();
        twin.send(writer);
        long nanos = System.nanoTime() - start;
        while (!(twin.receive(Duration.ZERO) instanceof io.dualstackd.netlink.io.Arrival.Silence)) {
            // Answers are read outside the measured time; the kernel's work is done when send returns.
        }
        return nanos;
    }

    /** Processor time of this thread, the kernel's part included. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Override
    public void close() {
        pass.close();
        twin.close();
    }
}
