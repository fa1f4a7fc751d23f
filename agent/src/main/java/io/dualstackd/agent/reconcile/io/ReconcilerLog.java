package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.reconcile.DriftRepairPolicy.Contested;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log messages of a reconciler: changes only, and each failure once. */
final class ReconcilerLog {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");
    private static final String FIGURES = "family={} services={} endpoints={} steps={} messages={} bytes={} ms={}";

    /** The number of changed Services named in a line. */
    private static final int NAMED = 3;

    private ReconcilerLog() {}

    /**
     * @param before the sync
     * @param leftOut Services that were left out at the last sync that succeeded: a failed one may name those that this one leaves out
     * @param services that may have changed since the last sync
     * @param changedBy the author of the change that was repaired
     */
    static void synced(
            FamilyStatus before,
            Set<ServiceKey> leftOut,
            SyncResult report,
            Duration took,
            Set<ServiceKey> services,
            Optional<ChangeAuthor> changedBy) {
        if (report.ops() > 0 || before.state() != State.IN_FORCE) {
            List<Object> figures = List.of(
                    before.family(),
                    report.totals().services(),
                    report.totals().endpoints(),
                    report.ops(),
                    report.messages(),
                    report.bytes(),
                    Math.round(took.toNanos() / 1e5) / 10.0);
            changedBy.ifPresentOrElse(
                    by -> LOG.info(
                            "repaired what others changed " + FIGURES + " by=\"{}\"",
                            Stream.concat(figures.stream(), Stream.of(by)).toArray()),
                    () -> LOG.info(
                            "in force " + FIGURES + " changed=\"{}\"",
                            Stream.concat(figures.stream(), Stream.of(names(services)))
                                    .toArray()));
        }
        report.leftOut().forEach((service, words) -> {
            if (!leftOut.contains(service)) {
                LOG.error(
                        "service left out service={} family={} reason=\"{}\" next=retry-in-{}m",
                        service,
                        before.family(),
                        words,
                        FamilyReconciler.RETRY_REFUSED_AFTER.toMinutes());
            }
        });
    }

    /** The first names, and how many others there are. */
    private static String names(Set<ServiceKey> services) {
        int more = services.size() - NAMED;
        return services.stream().limit(NAMED).map(ServiceKey::toString).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    static void externalChange(FamilyStatus status, ChangeAuthor changeAuthor, Set<ChangedObject> changes) {
        LOG.debug("others changed family={} by=\"{}\" what={}", status.family(), changeAuthor, changes);
    }

    /** @param before the last known status */
    static void contested(FamilyStatus before, Optional<Contested> now) {
        if (now.isPresent() && before.contested().isEmpty()) {
            LOG.warn(
                    "rules are contested family={} by=\"{}\" what=\"{}\" next=repair-less-often",
                    before.family(),
                    now.get().by(),
                    now.get().what());
        } else if (now.isEmpty() && before.contested().isPresent()) {
            LOG.info("rules are no longer contested family={}", before.family());
        }
    }

    static void failed(IpFamily family, String reason, Duration retry) {
        LOG.error("sync failed family={} reason=\"{}\" next=compare-all retryMs={}", family, reason, retry.toMillis());
    }

    static void warmUpFailed(IpFamily family, RuntimeException bug) {
        LOG.error("warm-up failed because of a bug, please report it family={} next=go-on-without", family, bug);
    }

    static void readAheadFailed(IpFamily family, RuntimeException bug) {
        LOG.error("reading ahead failed by a bug, please report it family={} next=read-again", family, bug);
    }

    /** Only a start takes longer, so it is no warning; another version cannot use the checkpoint of this one. */
    static void checkpoint(IpFamily family, String problem) {
        LOG.info("{} family={} next=\"the start reads all rules from the kernel\"", problem, family);
    }

    static void checkpointFailed(IpFamily family, RuntimeException bug) {
        LOG.error(
                "no checkpoint is saved because of a bug, please report it family={} next=go-on-without", family, bug);
    }

    static void bug(IpFamily family, Throwable bug, Duration retry) {
        LOG.error(
                "sync failed because of a bug, please report it family={} next=compare-all retryMs={}",
                family,
                retry.toMillis(),
                bug);
    }

    static void statusNotReceived(IpFamily family, RuntimeException bug) {
        LOG.error("status not received because of a bug, please report it family={} next=go-on-without", family, bug);
    }

    static String reason(Result result) {
        return switch (result) {
            case Result.InForce ignored -> "";
            case Result.Outdated ignored -> "another program changed the rules at the same time";
            case Result.Unreachable(String reason) -> reason;
            case Result.Refused(var refusals) ->
                refusals.stream().map(Refusal::kernelSays).limit(3).collect(Collectors.joining("; "));
        };
    }
}
