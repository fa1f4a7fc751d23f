package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A line against the real kernel, with an input of the test's own. */
@Tag("kernel")
final class FamilyReconcilerTest {
    private NetNs ns;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void close() {
        ns.close();
    }

    private Syncer pass(IpFamily family) {
        return IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
    }

    /** @param takes what the takes give, counted from 1 */
    private FamilyReconciler line(IntFunction<Map<ServiceKey, Optional<ServiceView>>> takes) {
        return line(takes, () -> ConntrackClient.open(NetlinkSockets.of(ns)));
    }

    private FamilyReconciler line(
            IntFunction<Map<ServiceKey, Optional<ServiceView>>> takes, StaleFlowSweep.Open conntrack) {
        return new FamilyReconciler(
                IpFamily.IPV4,
                pass(IpFamily.IPV4),
                new StaleFlowSweep(IpFamily.IPV4, conntrack, Optional.empty()),
                input(takes),
                new Wakeup(),
                new SyncIntervals(Duration.ZERO, Duration.ofMillis(5)),
                List.of());
    }

    private static DesiredState input(IntFunction<Map<ServiceKey, Optional<ServiceView>>> takes) {
        AtomicInteger count = new AtomicInteger();
        Planner planner = Planner.of(node(IpFamily.IPV4));
        return new DesiredState() {
            @Override
            public boolean complete() {
                return true;
            }

            @Override
            public Snapshot snapshot(BrokenServices broken) {
                Map<ServiceKey, Optional<ServiceView>> taken = takes.apply(count.incrementAndGet());
                return new Snapshot(planner, taken.keySet(), plans(planner, taken), ChangeMetadata.NONE);
            }
        };
    }

    private static FixedPlans plans(Planner planner, Map<ServiceKey, Optional<ServiceView>> views) {
        Map<ServiceKey, ServiceView> present = new HashMap<>();
        views.forEach((key, view) -> view.ifPresent(now -> present.put(key, now)));
        return new FixedPlans(planner, present);
    }

    private static NodeView node(IpFamily family) {
        return new NodeView(
                family,
                "n",
                "",
                Optional.empty(),
                List.of(),
                LocalDetector.NONE,
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true,
                false,
                List.of());
    }

    private static Map<ServiceKey, Optional<ServiceView>> service(String name) {
        ServiceKey key = new ServiceKey("ns", name);
        ServicePort port = new ServicePort(
                new ServicePortName(key, "", Proto.TCP),
                Ip.parse("10.96.0.1"),
                80,
                0,
                List.of(),
                List.of(),
                List.of(),
                Affinity.NONE,
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                0);
        return Map.of(key, Optional.of(new ServiceView(key, IpFamily.IPV4, List.of(new PortView(port, List.of())))));
    }

    @Test
    void reportsUnexpectedExceptionAndRetries() {
        try (FamilyReconciler line = line(take -> {
            if (take == 1) {
                throw new IllegalStateException("a bug");
            }
            return service("a");
        })) {
            line.start();
            FamilyStatus status =
                    await().atMost(Duration.ofMinutes(1)).until(line::status, s -> s.state() == State.IN_FORCE);
            assertThat(status.lastSync().orElseThrow().totals().services()).isEqualTo(1);
        }
    }

    /** A sync that fails by a bug has sent nothing, so that what the sync before it sent must not be counted again. */
    @Test
    void aBugAfterASuccessIsCountedAsNoTransaction() {
        AtomicInteger taken = new AtomicInteger();
        try (FamilyReconciler line = line(take -> {
            taken.set(take);
            if (take == 2 || take == 3) {
                throw new IllegalStateException("a bug");
            }
            return service("a");
        })) {
            line.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> taken.get() > 4 && line.status().state() == State.IN_FORCE);
            FamilyStatus status = line.status();
            assertThat(status.counts().applied())
                    .isPositive()
                    .isEqualTo(status.lastChange().orElseThrow().report().transactions());
        }
    }

    /** The handler of uncaught errors ends the process; a reconciler that went on would look healthy. */
    @Test
    void anErrorEndsTheThread() throws Exception {
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.complete(thrown));
        try (FamilyReconciler line = line(take -> {
            throw new OutOfMemoryError("made up");
        })) {
            line.start();
            assertThat(uncaught.get(1, TimeUnit.MINUTES)).isInstanceOf(OutOfMemoryError.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** However often something changes: what failed would only fail again. */
    @Test
    void wakeupsDoNotShortenTheWaitAfterAFailure() {
        List<FamilyStatus> failures = new CopyOnWriteArrayList<>();
        List<Long> times = new CopyOnWriteArrayList<>();
        Wakeup wakeup = new Wakeup();
        try (FamilyReconciler line = new FamilyReconciler(
                IpFamily.IPV4,
                IptablesSyncer.of(IpFamily.IPV4, () -> {
                    throw new NetlinkException.Closed("made up");
                }),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                input(take -> service("a")),
                wakeup,
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of(SyncObserver.ofStatus(status -> {
                    if (status.state() == State.FAILING) {
                        times.add(System.nanoTime());
                        failures.add(status);
                    }
                })))) {
            line.start();
            await().atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        wakeup.signal();
                        line.requestProbe();
                        return failures.size() >= 5;
                    });
            for (int i = 0; i + 1 < failures.size(); i++) {
                Duration retry = failures.get(i).failing().orElseThrow().retry();
                assertThat(Duration.ofNanos(times.get(i + 1) - times.get(i)))
                        .as("after failure " + (i + 1))
                        .isGreaterThanOrEqualTo(retry);
            }
        }
    }

    @Test
    void stopsWhileWaitingForRetry() {
        FamilyReconciler line = new FamilyReconciler(
                IpFamily.IPV4,
                IptablesSyncer.of(IpFamily.IPV4, () -> {
                    throw new NetlinkException.Closed("made up");
                }),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                input(take -> service("a")),
                new Wakeup(),
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of());
        line.start();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> line.status()
                                .failing()
                                .map(FamilyStatus.Failing::attempts)
                                .orElse(0)
                        >= 3);
        line.close();
        assertThat(line.status().state()).isEqualTo(State.STOPPED);
    }

    /** The status has to say which rules packets meet. */
    @Test
    void reportsWhatStaysInForce() {
        ServiceKey refused = new ServiceKey("ns", "a");
        AtomicInteger passes = new AtomicInteger();
        Syncer syncer = new Syncer() {
            @Override
            public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
                boolean first = passes.incrementAndGet() == 1;
                return SyncResultBuilder.sync(new SyncResult.Result.InForce())
                        .totals(new SyncResult.Totals(1, 1, 1, 1, 1))
                        .leftOut(first ? Map.of() : Map.of(refused, "ENOMEM"))
                        .kept(first ? Set.of() : Set.of(refused))
                        .result();
            }

            @Override
            public void invalidateAll() {}

            @Override
            public boolean changedByOthers() {
                return false;
            }

            @Override
            public void retryRefused() {}

            @Override
            public void close() {}
        };
        try (FamilyReconciler line = new FamilyReconciler(
                IpFamily.IPV4,
                syncer,
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                input(take -> Map.of()),
                new Wakeup(),
                new SyncIntervals(Duration.ZERO, Duration.ofMillis(5)),
                List.of())) {
            line.start();
            await().atMost(Duration.ofMinutes(1)).until(() -> passes.get() >= 5);
            assertThat(line.status().lastSync().orElseThrow().leftOut().get(refused))
                    .matches("the rules of \\d\\d:\\d\\d:\\d\\d stay in force: ENOMEM");
        }
    }

    @Test
    void flowsThatCannotBeSweptFailNothing() {
        AtomicInteger opened = new AtomicInteger();
        try (FamilyReconciler line = line(take -> take < 4 ? service("a" + take) : Map.of(), () -> {
            if (opened.incrementAndGet() < 3) {
                throw new NetlinkException.Closed("list flows");
            }
            return ConntrackClient.open(NetlinkSockets.of(ns));
        })) {
            line.start();
            FamilyStatus status = await().atMost(Duration.ofMinutes(1))
                    .until(
                            line::status,
                            s -> opened.get() >= 3 && s.flows().problem().isEmpty());
            assertThat(status.state()).isEqualTo(State.IN_FORCE);
            assertThat(status.counts().refused()).isZero();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What systemd's watchdog is fed by. */
    @Test
    void stuckReconcilerSendsNoHeartbeat() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch freed = new CountDownLatch(1);
        try (FamilyReconciler line = line(take -> {
            if (take == 3) {
                stuck.countDown();
                awaitQuietly(freed);
            }
            return Map.of();
        })) {
            line.start();
            stuck.await();
            long last = line.lastBeat();
            assertThat(line.lastBeat()).isEqualTo(last);
            freed.countDown();
            await().until(() -> line.lastBeat() - last > 0);
        }
    }

    /** The kernel counts one generation for both families, so a change of the other one looks like that of another program. */
    @Test
    void aChangeOfOursIsNoRepairWhateverTheOtherFamilyDid() {
        try (Syncer other = pass(IpFamily.IPV6);
                FamilyReconciler line = line(take -> {
                    if (take == 3) {
                        Planner planner = Planner.of(node(IpFamily.IPV6));
                        other.run(planner, Set.of(), plans(planner, Map.of()));
                    }
                    return take == 4 ? service("a") : Map.of();
                })) {
            line.start();
            FamilyStatus status = await().atMost(Duration.ofMinutes(1))
                    .until(line::status, s -> s.counts().applied() == 2);
            assertThat(status.counts().repairs()).isZero();
            assertThat(status.lastChange().orElseThrow().report().comparedAll())
                    .as("a change costs the change")
                    .isFalse();
        }
    }

    /** Health checks, metrics and stale flows are judged by the very plans that became rules, and of every change. */
    @Test
    void observersReceiveEachChangeBeforeTheStatus() {
        List<String> events = new CopyOnWriteArrayList<>();
        ServiceKey gone = new ServiceKey("ns", "gone");
        SyncObserver observer = new SyncObserver() {
            @Override
            public void onStart() {
                events.add("start");
            }

            @Override
            public void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {
                events.add("snapshot " + new TreeSet<>(changed));
            }

            @Override
            public void onAllServices() {
                events.add("all");
            }

            @Override
            public void onService(ServiceKey key, Optional<ServicePlan> plan) {
                events.add(key + (plan.isPresent() ? " planned" : " gone"));
            }

            @Override
            public void onStatus(FamilyStatus status) {
                events.add(status.state().toString());
            }
        };
        try (FamilyReconciler reconciler = new FamilyReconciler(
                IpFamily.IPV4,
                pass(IpFamily.IPV4),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                input(take -> switch (take) {
                    // A full comparison does not read the Service that is gone.
                    case 1 ->
                        Map.of(
                                gone,
                                Optional.empty(),
                                new ServiceKey("ns", "a"),
                                service("a").get(new ServiceKey("ns", "a")));
                    case 2 -> service("a");
                    case 3 -> Map.of(gone, Optional.empty());
                    default -> Map.of();
                }),
                new Wakeup(),
                new SyncIntervals(Duration.ZERO, Duration.ofMillis(5)),
                List.of(observer))) {
            reconciler.start();
            await().atMost(Duration.ofMinutes(1)).until(() -> events.size() >= 13);
        }
        assertThat(events)
                .startsWith(
                        "start",
                        "snapshot [ns/a, ns/gone]",
                        "all",
                        "ns/a planned",
                        "ns/gone gone",
                        "IN_FORCE",
                        "start",
                        "snapshot [ns/a]",
                        "ns/a planned",
                        "IN_FORCE",
                        "start",
                        "snapshot [ns/gone]",
                        "ns/gone gone");
    }
}
