package io.dualstackd.agent.line.io;

import io.dualstackd.agent.line.LineStatus.Flows;
import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.io.StaleFlowSweep;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections that outlived their endpoints, once the rules of a line are in force, and says so. Whatever goes wrong here is
 * told and tried again; it never fails the line. Used by the line's thread.
 */
final class FlowCare implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    private final IpFamily family;
    private final StaleFlowSweep sweep;
    private Flows flows = Flows.NONE;
    private Instant next = Instant.MAX;

    FlowCare(IpFamily family, StaleFlowSweep sweep) {
        this.family = family;
        this.sweep = sweep;
    }

    /** Remembers what a pass was told, whatever became of it. */
    void note(LineInput.Taken taken, Instant now) {
        try {
            sweep.note(taken.node(), taken.changed(), taken.wanted(), now);
        } catch (RuntimeException e) {
            LOG.error("noting flows failed by a bug, please report it family={} next=look-everywhere", family, e);
            sweep.suspectAll();
        }
    }

    /** Our rules were not in force for a while. */
    void suspectAll() {
        sweep.suspectAll();
    }

    /**
     * Sweeps, now that the rules are in force.
     *
     * @return how things stand, when that is news
     */
    Optional<Flows> sweep() {
        Instant start = Instant.now();
        SweepReport report;
        try {
            report = sweep.sweep(start);
        } catch (RuntimeException e) {
            LOG.error("sweeping flows failed by a bug, please report it family={} next=retry", family, e);
            report = SweepReport.failed("internal error: " + e, start.plus(StaleFlowSweep.RETRY));
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
                            Duration.between(start, Instant.now()).toNanos() / 1e6));
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

    /** How long until the next sweep if nothing changes, at most {@code longest}. */
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
