package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.reconcile.FamilyStatus.Flows;
import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the conntrack entries of connections that outlived their endpoints, once the rules of a reconciler are in force. A failure is
 * reported and the deletion tried again; it never fails the reconciler. Used by the reconciler's thread.
 */
final class StaleFlowCleaner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    private final IpFamily family;
    private final StaleFlowSweep sweep;
    private final LongConsumer swept;
    /** Services that changed and that the sync has not read yet. */
    private Set<ServiceKey> unseen = Set.of();

    private Flows flows = Flows.NONE;
    private Instant next = Instant.MAX;

    /** @param swept receives the duration of each search in nanoseconds, on the thread of the reconciler */
    StaleFlowCleaner(IpFamily family, StaleFlowSweep sweep, LongConsumer swept) {
        this.family = family;
        this.sweep = sweep;
        this.swept = swept;
    }

    /**
     * Wraps a snapshot so that what the sync reads of it is remembered: no Service is converted twice, and flows are judged by the very
     * views that became rules.
     */
    DesiredState.Snapshot watched(DesiredState.Snapshot snapshot, Instant now) {
        unseen = new HashSet<>(snapshot.changed());
        // A flow is known by the address it was sent to, and node ports answer on all of them.
        note(() -> sweep.note(snapshot.node().holding(snapshot.addresses())));
        return new DesiredState.Snapshot(
                snapshot.node(), snapshot.addresses(), snapshot.changed(), new Watched(snapshot.wanted(), now));
    }

    /** Reads what changed but was not read by the sync: a full comparison does not read Services that are gone. */
    void noteRest(DesiredState.Snapshot watched) {
        List.copyOf(unseen).forEach(watched.wanted()::find);
    }

    private void note(Runnable noting) {
        try {
            noting.run();
        } catch (RuntimeException e) {
            LOG.error("noting flows failed by a bug, please report it family={} next=look-everywhere", family, e);
            sweep.suspectAll();
        }
    }

    private final class Watched implements WantedServices {
        private final WantedServices wanted;
        private final Instant now;

        Watched(WantedServices wanted, Instant now) {
            this.wanted = wanted;
            this.now = now;
        }

        @Override
        public Optional<ServiceView> find(ServiceKey key) {
            Optional<ServiceView> service = wanted.find(key);
            unseen.remove(key);
            note(() -> sweep.note(key, service, now));
            return service;
        }

        @Override
        public void forEach(Consumer<ServiceView> each) {
            wanted.forEach(service -> {
                unseen.remove(service.key());
                note(() -> sweep.note(service.key(), Optional.of(service), now));
                each.accept(service);
            });
        }
    }

    /** Suspects all flows, because our rules were not in force for a while. */
    void suspectAll() {
        sweep.suspectAll();
    }

    /**
     * Deletes stale flows; to be called when the rules are in force.
     *
     * @return the state of the deletions, when it changed
     */
    Optional<Flows> sweep() {
        Instant start = SteadyClock.now();
        SweepReport report;
        try {
            report = sweep.sweep(start);
        } catch (RuntimeException e) {
            LOG.error("sweeping flows failed by a bug, please report it family={} next=retry", family, e);
            report = SweepReport.failed("internal error: " + e, start.plus(StaleFlowSweep.RETRY));
        }
        if (report.lists() > 0) {
            swept.accept(Duration.between(start, SteadyClock.now()).toNanos());
        }
        next = report.next().orElse(Instant.MAX);
        Flows before = flows;
        flows = new Flows(
                before.deleted() + report.deleted(), report.lists() == 0 ? before.problem() : report.problem());
        if (report.deleted() > 0) {
            LOG.info(
                    "stale flows deleted family={} flows={} seen={} lists={} ms={}",
                    family,
                    report.deleted(),
                    report.seen(),
                    report.lists(),
                    String.format(
                            Locale.ROOT,
                            "%.1f",
                            Duration.between(start, SteadyClock.now()).toNanos() / 1e6));
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
