package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.Mode;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The namespaces of a measurement, for one or both families: one for the data plane, a twin for its bytes, and one for the usual program.
 * Each family has a thread of its own, as in the daemon.
 */
final class Testbed implements AutoCloseable {
    private final Mode mode;
    private final List<Cluster> clusters;
    private final NetNs ours;
    private final NetNs twinNs;
    private final NetNs rivalNs;
    private final List<FamilyUnderTest> lines = new ArrayList<>();
    private final List<Twin> twins = new ArrayList<>();
    private final List<Rival> rivals = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Testbed(Mode mode, List<IpFamily> families, int services, int endpoints) throws Exception {
        this.mode = mode;
        clusters = families.stream()
                .map(family -> new Cluster(family, services, endpoints))
                .toList();
        ours = NetNs.create();
        twinNs = NetNs.create();
        rivalNs = NetNs.create();
        for (Cluster cluster : clusters) {
            lines.add(new FamilyUnderTest(mode, cluster, ours));
            twins.add(new Twin(twinNs));
        }
    }

    Cluster cluster() {
        return clusters.getFirst();
    }

    SyncMeasurement load() throws Exception {
        SyncMeasurement load = pass(FamilyUnderTest::load);
        if (each(lines, FamilyUnderTest::rehearse).contains(false)) {
            throw new IllegalStateException("the rehearsal was cut short");
        }
        return load;
    }

    SyncMeasurement restart() throws Exception {
        return pass(FamilyUnderTest::restart);
    }

    /** Measures a change by the data plane, and the same bytes in the twin. */
    SyncMeasurement change(ServiceChange serviceChange) throws Exception {
        SyncMeasurement syncMeasurement = pass(familyUnderTest -> familyUnderTest.change(serviceChange));
        return syncMeasurement.besideRaw(replay(each(lines, FamilyUnderTest::taken)));
    }

    /**
     * Brings the twin to the same state: a first load is repeated in a separate namespace, and its bytes are sent to the twin.
     *
     * @return the time of the kernel alone for the first load
     */
    Optional<Span> raiseTwin() throws Exception {
        try (NetNs rehearsal = NetNs.create()) {
            List<FamilyUnderTest> again = new ArrayList<>();
            for (Cluster cluster : clusters) {
                FamilyUnderTest familyUnderTest = new FamilyUnderTest(mode, cluster, rehearsal);
                familyUnderTest.record();
                again.add(familyUnderTest);
            }
            List<SyncMeasurement> ignored = each(again, FamilyUnderTest::load);
            Optional<Span> raw = replay(each(again, FamilyUnderTest::taken));
            again.forEach(FamilyUnderTest::close);
            lines.forEach(FamilyUnderTest::record);
            return raw;
        }
    }

    /** Measures a first load by the usual program; empty when it is not installed. */
    Optional<Span> loadRival() throws Exception {
        for (Cluster cluster : clusters) {
            Rival.of(mode, cluster, ours, rivalNs).ifPresent(rivals::add);
        }
        return rivals.isEmpty() ? Optional.empty() : Optional.of(together(each(rivals, Rival::load)));
    }

    /**
     * Measures the same change by the usual program; empty when it is not installed.
     *
     * @param undo whether to undo the change instead
     */
    Optional<Span> rivalChange(ServiceChange serviceChange, boolean undo) throws Exception {
        if (rivals.isEmpty()) {
            return Optional.empty();
        }
        List<List<ServiceTransition>> transitions = clusters.stream()
                .map(cluster -> ServiceTransition.of(cluster, serviceChange, undo))
                .toList();
        return Optional.of(together(eachPair(rivals, transitions, Rival::change)));
    }

    private SyncMeasurement pass(Work<FamilyUnderTest, SyncMeasurement> work) throws Exception {
        return each(lines, work).stream().reduce(SyncMeasurement::with).orElseThrow();
    }

    private Optional<Span> replay(List<List<byte[]>> batches) throws Exception {
        return Optional.of(together(eachPair(twins, batches, Twin::replay)));
    }

    private static Span together(List<Span> spans) {
        return spans.stream().reduce(Span::with).orElseThrow();
    }

    private interface Work<T, R> {
        R of(T subject) throws Exception;
    }

    private interface PairWork<T, U, R> {
        R of(T subject, U object) throws Exception;
    }

    private <T, R> List<R> each(List<T> subjects, Work<T, R> work) throws Exception {
        return eachPair(subjects, subjects, (subject, same) -> work.of(subject));
    }

    /** Runs all at once, each in a thread. */
    private <T, U, R> List<R> eachPair(List<T> subjects, List<U> objects, PairWork<T, U, R> work) throws Exception {
        List<Future<R>> futures = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            T subject = subjects.get(i);
            U object = objects.get(i);
            futures.add(threads.submit(() -> work.of(subject, object)));
        }
        List<R> results = new ArrayList<>();
        for (Future<R> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        lines.forEach(FamilyUnderTest::close);
        twins.forEach(Twin::close);
        List.of(ours, twinNs, rivalNs).forEach(NetNs::close);
    }

    /** A socket into the namespace where batches are replayed. */
    private static final class Twin implements AutoCloseable {
        private final NlSocket socket;

        Twin(NetNs ns) throws NetlinkException {
            socket = NlSocket.open(NlProtocol.NETFILTER, ns);
        }

        /** Returns the time from the first send to the return of the last; the kernel's work is done then, and answers are read afterwards. */
        Span replay(List<byte[]> batches) throws NetlinkException, DecodeException {
            long start = 0;
            long nanos = 0;
            for (byte[] batch : batches) {
                NlWriter writer = new NlWriter(batch.length);
                writer.bytes(batch, 0, batch.length);
                start = System.nanoTime();
                socket.send(writer);
                nanos += System.nanoTime() - start;
                readAnswers();
            }
            return new Span(start, start + nanos);
        }

        private void readAnswers() throws NetlinkException, DecodeException {
            while (socket.receive(Duration.ZERO) instanceof Arrival.Messages(List<NlMessage> messages)) {
                for (NlMessage message : messages) {
                    if (message.type() == NlMessage.ERROR) {
                        int errno = -message.body("NLMSG_ERROR").u32();
                        if (errno != 0) {
                            throw new IllegalStateException("the twin is no twin: replay refused with errno " + errno);
                        }
                    }
                }
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
