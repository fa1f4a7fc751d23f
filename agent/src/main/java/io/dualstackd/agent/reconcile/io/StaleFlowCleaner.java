package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.reconcile.FamilyStatus.Flows;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the conntrack entries of connections that outlived their endpoints, once the rules of a reconciler are in force; flows are judged
 * by the very plans that became rules. A failure is reported and the deletion tried again; it never fails the reconciler. Used by the reconciler's thread.
 */
final class StaleFlowCleaner implements SyncObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    private final IpFamily family;
    private final StaleFlowSweep sweep;
    private final InstantSource clock;
    private Flows flows = Flows.NONE;
    private Instant next = Instant.MAX;
    /** When the input of the current sync was taken, by the steady clock. */
    private Instant now = Instant.MIN;

    StaleFlowCleaner(IpFamily family, StaleFlowSweep sweep, Platform platform) {
        this.clock = platform.steady();
        this.family = family;
        this.sweep = sweep;
    }

    @Override
    public void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {
        now = clock.instant();
        note(() -> sweep.note(planner));
    }

    @Override
    public void onService(ServiceKey key, Optional<ServicePlan> plan) {
        note(() -> sweep.note(key, plan.map(ServicePlan::service), now));
    }

    private void note(Runnable noting) {
        try {
            noting.run();
        } catch (RuntimeException e) {
            LOG.error(
                    "tracking of stale flows failed because of a bug, please report it family={} next=sweep-everything",
                    family,
                    e);
            sweep.suspectAll();
        }
    }

    /** Suspects all flows, because rules of ours, or of a Service as it is wanted, were not in force for a while. */
    void suspectAll() {
        sweep.suspectAll();
    }

    /**
     * Deletes stale flows; to be called when the rules are in force.
     *
     * @param took receives the duration of a search
     * @return the state of the deletions, when it changed
     */
    Optional<Flows> sweep(Consumer<Duration> took) {
        Instant start = clock.instant();
        SweepReport report;
        try {
            report = sweep.sweep(start);
        } catch (RuntimeException e) {
            LOG.error("sweep of stale flows failed because of a bug, please report it family={} next=retry", family, e);
            report = SweepReport.failed("internal error: " + e, start.plus(StaleFlowSweep.RETRY));
        }
        if (report.lists() > 0) {
            took.accept(Duration.between(start, clock.instant()));
        }
        next = report.next().orElse(Instant.MAX);
        Flows before = flows;
        flows = before.after(report.deleted(), report.lists() == 0 ? before.problem() : report.problem(), start);
        if (report.deleted() > 0) {
            LOG.info(
                    "stale flows deleted family={} flows={} seen={} lists={} ms={}",
                    family,
                    report.deleted(),
                    report.seen(),
                    report.lists(),
                    Math.round(Duration.between(start, clock.instant()).toNanos() / 1e5) / 10.0);
        }
        if (!flows.problem().equals(before.problem())) {
            flows.problem()
                    .ifPresentOrElse(
                            words -> LOG.warn(
                                    "stale flows not deleted family={} reason=\"{}\" next=retry-in-{}s",
                                    family,
                                    words,
                                    StaleFlowSweep.RETRY.toSeconds()),
                            () -> LOG.info("stale flows can be deleted again family={}", family));
        }
        return flows.equals(before) ? Optional.empty() : Optional.of(flows);
    }

    /** Returns how long to wait until the next sweep if nothing changes, at most {@code longest}. */
    Duration wait(Instant now, Duration longest) {
        if (!next.isAfter(now)) {
            return Duration.ZERO;
        }
        return next.isBefore(now.plus(longest)) ? Duration.between(now, next) : longest;
    }

    @Override
    public void close() {
        sweep.close();
    }
}
