package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.reconcile.DriftProbe;
import io.dualstackd.agent.reconcile.DriftRepairPolicy;
import io.dualstackd.agent.reconcile.DriftRepairPolicy.Contested;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.Counts;
import io.dualstackd.agent.reconcile.FamilyStatus.Done;
import io.dualstackd.agent.reconcile.FamilyStatus.Failing;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.CompilationException;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.Listeners;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The reconciler of one family: a thread of its own, with its own socket, applied state, and retry. */
public final class FamilyReconciler implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    /** The number of consecutive lost races from which on they count as a failure. */
    private static final int RACES = 5;

    /** The interval at which refused Services, and chains that could not be deleted, are tried again although nothing changed. */
    static final Duration RETRY_REFUSED_AFTER = Duration.ofMinutes(5);

    /** Rounds of a warm-up that load what changes need. */
    private static final int TO_LOAD = 40;

    /**
     * The rounds of a warm-up after which the code is compiled: a JVM with one compiler tier checks every 128 calls whether a method has been
     * called often enough.
     */
    private static final int TO_COMPILE = 300;

    private final IpFamily family;
    private final Syncer syncer;
    private final StaleFlowCleaner flows;
    private final DesiredState input;
    private volatile SyncIntervals intervals;
    private final WaitHeartbeat waitHeartbeat;
    private final List<SyncObserver> observers;
    private final Wakeup wakeup;
    private final Platform platform;
    private final Platform.Task thread;
    private final Platform.Latch stop;
    private volatile FamilyStatus status;

    private final ExternalChanges externalChanges = new ExternalChanges();
    private final Platform.Latch firstSync;
    private final DriftRepairPolicy driftRepairPolicy = new DriftRepairPolicy();
    private final DriftProbe driftProbe = new DriftProbe();
    /** When the kernel accepted the rules that stay in force for Services it refuses now. */
    private final Map<ServiceKey, Optional<Instant>> accepted = new HashMap<>();

    /** The Services that the kernel refused at the last sync that succeeded. */
    private Set<ServiceKey> refused = Set.of();

    /** These, and those whose rules could not be computed then. */
    private Set<ServiceKey> leftOut = Set.of();

    private final BrokenServices broken = new BrokenServices();
    private Optional<Instant> lastInForce = Optional.empty();
    /** The Services of the sync that runs, for the log. */
    private Set<ServiceKey> changed = Set.of();

    private boolean repairing;
    /** The objects to repair; empty when a full comparison finds them. */
    private String repairs = "";

    /** What was logged last about an observer of the status. */
    private String observerBug = "";

    /** The rounds of the second warm-up that are still to be run. */
    private int toCompile = TO_COMPILE;

    /** Whether the last sync had succeeded when the thread ended. */
    private boolean inForce;

    private boolean stopped;
    /** By the platform's steady clock. */
    private Instant lastRetry = Instant.MIN;

    /**
     * @param syncer owned by the reconciler from now on
     * @param sweep owned by the reconciler from now on
     * @param wakeup signalled when there is something to look at; its platform has the reconciler's thread and clocks
     * @param observers called in this order
     */
    public FamilyReconciler(
            IpFamily family,
            Syncer syncer,
            StaleFlowSweep sweep,
            DesiredState input,
            Wakeup wakeup,
            SyncIntervals intervals,
            List<SyncObserver> observers) {
        this.family = family;
        this.syncer = syncer;
        this.flows = new StaleFlowCleaner(family, sweep, wakeup.platform());
        this.input = input;
        this.wakeup = wakeup;
        this.platform = wakeup.platform();
        this.stop = platform.latch();
        this.firstSync = platform.latch();
        this.intervals = intervals;
        this.waitHeartbeat = new WaitHeartbeat(platform, intervals.heartbeat());
        this.observers = Stream.concat(Stream.<SyncObserver>of(flows), observers.stream())
                .toList();
        this.status = FamilyStatus.initial(family);
        this.thread = platform.thread("dataplane-" + (family == IpFamily.IPV4 ? "ipv4" : "ipv6"), this::run);
    }

    public void start() {
        thread.start();
    }

    public IpFamily family() {
        return family;
    }

    public FamilyStatus status() {
        return status;
    }

    /** The time of the last heartbeat, in nanoseconds of {@link Platform#nanoTime}. It grows while the reconciler is not stuck. */
    public long lastBeat() {
        return waitHeartbeat.last();
    }

    /** Sets the intervals, which count from the next sync on; may be called from any thread. */
    public void intervals(SyncIntervals now) {
        intervals = now;
        wakeup.signal();
    }

    /** Records that another program changed our rules; may be called from any thread. */
    public void onExternalChange(ExternalChange externalChange) {
        externalChanges.add(externalChange);
        wakeup.urgently();
    }

    /** Requests a look soon at whether anything was changed without a notification; may be called from any thread. */
    public void requestProbe() {
        driftProbe.request();
        wakeup.urgently();
    }

    /** Waits until the reconciler has tried its first sync, or has ended. */
    public void awaitFirstSync() throws InterruptedException {
        firstSync.await();
    }

    /** Ends the thread after the current sync; the rules stay in the kernel. */
    public void stop() {
        stop.open();
        wakeup.urgently();
        try {
            thread.join();
            stopped = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops, and saves a checkpoint of what is in force; no reconciler of the namespace may change rules any more. */
    @Override
    public void close() {
        stop();
        if (stopped) {
            try {
                if (inForce) {
                    syncer.saveCheckpoint(() -> !externalChanges.isEmpty() || driftRepairPolicy.isWaiting());
                }
            } catch (RuntimeException e) {
                ReconcilerLog.checkpointFailed(family, e);
            } finally {
                syncer.close();
            }
        }
    }

    private void run() {
        try {
            Duration wait = Duration.ZERO;
            boolean backOff = false;
            // Meanwhile the sources are being read, which takes time.
            readAhead();
            warmUp(TO_LOAD, input::complete);
            while (!stop.isOpen()) {
                if (backOff) {
                    // Changes that arrive meanwhile are applied afterwards: an attempt for each would only fail the
                    // same way.
                    waitHeartbeat.holdOff(stop, wait);
                    wait = Duration.ZERO;
                }
                waitHeartbeat.await(wakeup, wait);
                if (stop.isOpen()) {
                    break;
                }
                if (input.complete()) {
                    wait = syncAndReport();
                    backOff = status.failing().isPresent() && wait.isPositive();
                    firstSync.open();
                    warmUpOnce();
                } else {
                    wait = intervals.lookPeriod();
                    backOff = false;
                }
            }
            inForce = status.state() == State.IN_FORCE;
            publish(status.in(State.STOPPED));
        } catch (InterruptedException e) {
            publish(status.in(State.STOPPED));
        } finally {
            firstSync.open();
            flows.close();
        }
    }

    /** A failure here is retried by the first sync, which reports it. */
    private void readAhead() {
        try {
            syncer.readAhead();
        } catch (RuntimeException e) {
            syncer.invalidateAll();
            ReconcilerLog.readAheadFailed(family, e);
        }
    }

    /**
     * Runs once everything is in force and no change is waiting, and goes on after a change that cut it short. Earlier, the compiler has too
     * much to do, and drops requests for methods that have not been called recently.
     */
    private void warmUpOnce() {
        if (toCompile > 0 && status.state() == State.IN_FORCE) {
            toCompile -= warmUp(toCompile, wakeup::isPending);
        }
    }

    /** Returns the rounds that were run. */
    private int warmUp(int rounds, BooleanSupplier enough) {
        try {
            return syncer.warmUp(rounds, () -> enough.getAsBoolean() || stop.isOpen());
        } catch (RuntimeException e) {
            ReconcilerLog.warmUpFailed(family, e);
            return rounds;
        }
    }

    /**
     * A bug of dualstackd must not end the reconciler: the other Services and the next change still count. A Service whose rules cannot be
     * computed is left out. An {@link Error} ends the thread, and with it the process, because the state after running out of memory, for
     * example, is unknown.
     */
    private Duration syncAndReport() throws InterruptedException {
        try {
            return sync();
        } catch (RuntimeException e) {
            syncer.invalidateAll();
            if (e instanceof CompilationException of) {
                broken.add(of.service(), of.bug());
            }
            Duration retry =
                    BACKOFF.after(status.failing().map(Failing::attempts).orElse(0) + 1);
            ReconcilerLog.bug(family, e, retry);
            publish(failing(status.lastSync(), status.counts(), "internal error: " + e, retry, platform.instant()));
            return retry;
        }
    }

    /** Runs one sync and returns how long to wait for the next look if no wakeup comes. */
    private Duration sync() throws InterruptedException {
        Instant start = platform.instant();
        Instant now = platform.steady().instant();
        invalidate(now);
        retryRefused(now);
        observers.forEach(SyncObserver::onStart);
        DesiredState.Snapshot snapshot = input.snapshot(broken);
        observers.forEach(observer -> observer.onSnapshot(snapshot.planner(), snapshot.changed(), snapshot.metadata()));
        changed = snapshot.changed();
        broken.changed(changed);
        ObservedPlans services = new ObservedPlans(snapshot, observers, broken);
        SyncResult report;
        try {
            report = syncer.run(snapshot.planner(), snapshot.changed(), services);
        } finally {
            services.readRest();
        }
        if (report.needsRetry()) {
            return failed(report, start);
        }
        succeeded(report, start, now);
        if (report.comparedAll()) {
            driftRepairPolicy.repairedAnyway();
        }
        // Done only here, so that repairs are not taken for changes, and a change need not wait for the look.
        if (driftProbe.due(now, intervals.lookPeriod()) && driftProbe.proves(syncer.changedByOthers(), now)) {
            syncer.invalidateAll();
            Instant again = platform.instant();
            Instant begun = platform.steady().instant();
            repairing = true;
            repairs = "";
            SyncResult repair = syncer.run(snapshot.planner(), Set.of(), services);
            if (repair.needsRetry()) {
                return failed(repair, again);
            }
            succeeded(repair, again, begun);
        }
        firstSync.open();
        // For status reports only; the listener has already been notified of the end of the sync.
        flows.sweep(took -> observers.forEach(observer -> observer.onSweep(took)))
                .ifPresent(changed -> status = status.with(changed));
        waitHeartbeat.rest(wakeup, driftRepairPolicy.wait(platform.steady().instant(), intervals.minGap()));
        Instant end = platform.steady().instant();
        return flows.wait(end, driftRepairPolicy.wait(end, driftProbe.wait(intervals.lookPeriod())));
    }

    /** Adds the repair of external changes to this sync, unless they are contested. */
    private void invalidate(Instant now) {
        externalChanges.take().ifPresent(driftRepairPolicy::add);
        Set<ChangedObject> due = driftRepairPolicy.due(now);
        if (!due.isEmpty()) {
            repairing = true;
            repairs = driftRepairPolicy.repaired();
            syncer.invalidate(due);
            ReconcilerLog.externalChange(status, driftRepairPolicy.changeAuthor(), due);
        }
        ReconcilerLog.contested(status, contested());
    }

    /**
     * Checks from time to time whether the kernel still refuses what it refused, chains that it did not delete included, and whether broken
     * Services still are.
     */
    private void retryRefused(Instant now) {
        if (!lastRetry.plus(RETRY_REFUSED_AFTER).isAfter(now)) {
            lastRetry = now;
            if (status.lastSync()
                    .map(last -> !last.leftOut().isEmpty() || !last.emptied().isEmpty())
                    .orElse(false)) {
                syncer.retryRefused();
                broken.retryAll();
            }
        }
    }

    /** In system time, for people: the repair policy uses a clock that cannot be set. */
    private Optional<Contested> contested() {
        return driftRepairPolicy
                .contested()
                .map(fight -> fight.since(platform.instant()
                        .minus(Duration.between(fight.since(), platform.steady().instant()))));
    }

    /** Adds to Services that are left out which rules are in force for them. */
    private SyncResult sayingWhatStays(SyncResult report) {
        accepted.keySet().retainAll(report.kept());
        report.kept().forEach(service -> accepted.putIfAbsent(service, lastInForce));
        Map<ServiceKey, String> words = new HashMap<>(report.leftOut());
        words.putAll(broken.errors());
        accepted.forEach((service, since) ->
                words.computeIfPresent(service, (key, kernel) -> "the rules " + rulesOf(since) + ": " + kernel));
        return report.saying(words);
    }

    private static String rulesOf(Optional<Instant> accepted) {
        return accepted.map(time -> "of " + TIME.format(time) + " stay in force")
                .orElse("found at the start stay in force");
    }

    /** @param begun when it started, by the platform's steady clock */
    private void succeeded(SyncResult result, Instant start, Instant begun) {
        suspectFlowsOfTaken(result.leftOut().keySet());
        SyncResult report = sayingWhatStays(result);
        lastInForce = Optional.of(start);
        Duration took = Duration.between(begun, platform.steady().instant());
        ReconcilerLog.synced(
                status,
                leftOut,
                report,
                took,
                changed,
                repairing ? Optional.of(driftRepairPolicy.changeAuthor()) : Optional.empty());
        leftOut = report.leftOut().keySet();
        changed = Set.of();
        if (repairing && report.ops() > 0) {
            flows.suspectAll();
            observers.forEach(observer -> observer.onRepair(driftRepairPolicy.changeAuthor(), repairs));
        }
        Optional<Done> change = report.ops() > 0 ? Optional.of(new Done(start, took, report)) : status.lastChange();
        publish(new FamilyStatus(
                family,
                State.IN_FORCE,
                change,
                Optional.of(report),
                status.leftOutSince(report.leftOut(), start),
                Optional.empty(),
                status.counts().plus(report, repairing),
                contested(),
                status.flows()));
        repairing = false;
    }

    /** While a Service is refused, flows are judged by what it wants, and made by the rules that it had. */
    private void suspectFlowsOfTaken(Set<ServiceKey> refusedNow) {
        if (!refusedNow.containsAll(refused)) {
            flows.suspectAll();
        }
        refused = Set.copyOf(refusedNow);
    }

    private Duration failed(SyncResult report, Instant start) {
        String reason = ReconcilerLog.reason(report.result());
        int attempts = status.failing().map(Failing::attempts).orElse(0) + 1;
        // Another program was faster: that is not a failure yet, and an immediate retry is enough.
        boolean race = report.result() instanceof Result.Outdated && attempts < RACES;
        Duration retry = race ? Duration.ZERO : BACKOFF.after(attempts);
        if (!race && (!reason.equals(status.lastError()) || attempts == RACES)) {
            ReconcilerLog.failed(family, reason, retry);
        }
        publish(failing(Optional.of(report), status.counts().plus(report, false), reason, retry, start));
        return retry;
    }

    private FamilyStatus failing(Optional<SyncResult> last, Counts counts, String reason, Duration retry, Instant now) {
        Failing failing = new Failing(
                status.failing().map(Failing::since).orElse(now),
                status.failing().map(Failing::attempts).orElse(0) + 1,
                reason,
                retry);
        return new FamilyStatus(
                family,
                State.FAILING,
                status.lastChange(),
                last,
                status.leftOutSince(),
                Optional.of(failing),
                counts,
                contested(),
                status.flows());
    }

    private void publish(FamilyStatus now) {
        status = now;
        try {
            Listeners.callAll(observers.stream()
                    .<Runnable>map(observer -> () -> observer.onStatus(now))
                    .toList());
        } catch (RuntimeException e) {
            // The rules are as the status says, whether or not it was received.
            if (!e.toString().equals(observerBug)) {
                observerBug = e.toString();
                ReconcilerLog.statusNotReceived(family, e);
            }
        }
    }
}
