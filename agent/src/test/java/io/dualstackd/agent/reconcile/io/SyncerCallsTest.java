package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.log.CapturedLog;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which a reconciler calls its syncer. */
final class SyncerCallsTest {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch readAhead = new CountDownLatch(1);
    private final CountDownLatch synced = new CountDownLatch(1);

    private FamilyReconciler reconciler(RecordingSyncer syncer, SyncObserver... observers) {
        return new FamilyReconciler(
                IpFamily.IPV4,
                syncer,
                new StaleFlowSweep(
                        IpFamily.IPV4,
                        () -> {
                            throw new NetlinkException.Closed("list flows");
                        },
                        Optional.empty()),
                new SourcesReadAfterTheKernel(),
                new Wakeup(),
                new SyncIntervals(Duration.ZERO, Duration.ofMillis(5)),
                List.of(observers));
    }

    private void runUntilSynced(RecordingSyncer syncer) throws Exception {
        try (FamilyReconciler reconciler = reconciler(syncer)) {
            reconciler.start();
            assertThat(synced.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** If that fails, the first sync does it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theKernelIsReadBeforeTheSourcesAre(boolean fails) throws Exception {
        RecordingSyncer syncer = new RecordingSyncer();
        syncer.readFails = fails;
        runUntilSynced(syncer);
        assertThat(calls.subList(0, fails ? 3 : 2))
                .isEqualTo(fails ? List.of("readAhead", "invalidateAll", "run") : List.of("readAhead", "run"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCheckpointIsSavedAtTheEnd(boolean fails) throws Exception {
        RecordingSyncer syncer = new RecordingSyncer();
        syncer.saveFails = fails;
        runUntilSynced(syncer);
        assertThat(calls.subList(calls.size() - 2, calls.size())).containsExactly("saveCheckpoint", "close");
    }

    @Test
    void noCheckpointIsSavedAfterAFailedSync() throws Exception {
        RecordingSyncer syncer = new RecordingSyncer();
        syncer.result = new SyncResult.Result.Unreachable("no kernel");
        runUntilSynced(syncer);
        assertThat(calls).doesNotContain("saveCheckpoint").endsWith("close");
    }

    /** The watcher of external changes may still report one while the reconciler closes. */
    @Test
    void noCheckpointIsSavedWhenAnExternalChangeIsReportedAtTheEnd() throws Exception {
        RecordingSyncer syncer = new RecordingSyncer();
        try (FamilyReconciler reconciler = reconciler(syncer)) {
            syncer.changedLate = () -> reconciler.onExternalChange(ExternalChange.UNKNOWN);
            reconciler.start();
            assertThat(synced.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(calls.subList(calls.size() - 2, calls.size())).containsExactly("nothing to save", "close");
    }

    @Test
    void noCheckpointIsSavedBeforeTheFirstSync() {
        reconciler(new RecordingSyncer()).close();
        assertThat(calls).containsExactly("close");
    }

    /** The kernel refuses it twice before it is left out, and again when it is retried: one line, when the others are in force. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void aServiceThatIsLeftOutIsLoggedOnce(int syncs) {
        ServiceKey service = new ServiceKey("ns", "refused");
        SyncResult.Result refused = new SyncResult.Result.Refused(List.of());
        List<SyncResult> results = Stream.of(
                        SyncResultBuilder.sync(refused),
                        SyncResultBuilder.sync(refused).leftOut(Map.of(service, "EINVAL")),
                        SyncResultBuilder.sync(new SyncResult.Result.InForce()).leftOut(Map.of(service, "EINVAL")),
                        SyncResultBuilder.sync(refused),
                        SyncResultBuilder.sync(new SyncResult.Result.InForce()).leftOut(Map.of(service, "EINVAL")))
                .map(SyncResultBuilder::result)
                .limit(syncs)
                .toList();
        RecordingSyncer syncer = new RecordingSyncer();
        syncer.results.addAll(results);
        CapturedLog log = new CapturedLog("dataplane", Level.ALL);
        try (log;
                FamilyReconciler reconciler = reconciler(syncer)) {
            reconciler.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> calls.stream().filter("run"::equals).count() > results.size());
        }
        assertThat(log.messages())
                .filteredOn(line -> line.startsWith("service left out"))
                .singleElement()
                .asString()
                .contains("ns/refused", "EINVAL");
    }

    /** Where changes arrive all the time it would otherwise never end. */
    @Test
    void aWarmUpThatChangesCutShortGoesOnWhereItWas() {
        RecordingSyncer syncer = new RecordingSyncer();
        syncer.warmUpAtMost = 100;
        try (FamilyReconciler reconciler = reconciler(syncer)) {
            reconciler.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> calls.stream().filter("run"::equals).count() >= 6);
        }
        assertThat(syncer.warmUps).containsExactly(40, 300, 200, 100);
    }

    /** A bug in what receives the status ends no reconciler, and keeps no other receiver from it. */
    @Test
    void anObserverThatFailsEndsNothing() {
        List<FamilyStatus> seen = new CopyOnWriteArrayList<>();
        try (FamilyReconciler reconciler = reconciler(
                new RecordingSyncer(),
                SyncObserver.ofStatus(status -> {
                    throw new IllegalStateException("a bug");
                }),
                SyncObserver.ofStatus(seen::add))) {
            reconciler.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> calls.stream().filter("run"::equals).count() >= 5);
            assertThat(calls).doesNotContain("invalidateAll");
            assertThat(reconciler.status().state()).isEqualTo(FamilyStatus.State.IN_FORCE);
        }
        assertThat(seen.getLast().state()).isEqualTo(FamilyStatus.State.STOPPED);
    }

    private final class SourcesReadAfterTheKernel implements DesiredState {
        @Override
        public boolean complete() {
            return readAhead.getCount() == 0;
        }

        @Override
        public Snapshot snapshot(BrokenServices broken) {
            Planner planner = Planner.of(Samples.node(IpFamily.IPV4));
            return new Snapshot(planner, Set.of(), new FixedPlans(planner, Map.of()), ChangeMetadata.NONE);
        }
    }

    private final class RecordingSyncer implements Syncer {
        private boolean readFails;
        private boolean saveFails;
        private Runnable changedLate = () -> {};
        private int warmUpAtMost = Integer.MAX_VALUE;
        /** The rounds that were asked for. */
        private final List<Integer> warmUps = new CopyOnWriteArrayList<>();

        private SyncResult.Result result = new SyncResult.Result.InForce();
        /** The first ones. */
        private final Queue<SyncResult> results = new ArrayDeque<>();

        @Override
        public void readAhead() {
            calls.add("readAhead");
            readAhead.countDown();
            if (readFails) {
                throw new IllegalStateException("a bug");
            }
        }

        @Override
        public int warmUp(int rounds, BooleanSupplier enough) {
            warmUps.add(rounds);
            return Math.min(rounds, warmUpAtMost);
        }

        @Override
        public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
            calls.add("run");
            synced.countDown();
            SyncResult next = results.poll();
            return next == null ? SyncResultBuilder.sync(result).result() : next;
        }

        @Override
        public void invalidateAll() {
            calls.add("invalidateAll");
        }

        @Override
        public boolean changedByOthers() {
            return false;
        }

        @Override
        public void retryRefused() {}

        @Override
        public void saveCheckpoint(BooleanSupplier toRepair) {
            changedLate.run();
            calls.add(toRepair.getAsBoolean() ? "nothing to save" : "saveCheckpoint");
            if (saveFails) {
                throw new IllegalStateException("a bug");
            }
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
