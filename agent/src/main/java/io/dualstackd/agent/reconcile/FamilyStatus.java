package io.dualstackd.agent.reconcile;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The status of one family's reconciler.
 *
 * @param state the current state
 * @param lastChange the last sync that changed the kernel, with its time and duration
 * @param lastSync the report of the last sync
 * @param leftOutSince since when there has been a Service that the kernel leaves out; empty while there is none
 * @param failing the current series of failed syncs; empty when the last one succeeded
 * @param counts since the reconciler started
 * @param contested another program changes the same rules again and again
 * @param flows connections that outlived their endpoints
 */
public record FamilyStatus(
        IpFamily family,
        State state,
        Optional<Done> lastChange,
        Optional<SyncResult> lastSync,
        Optional<Instant> leftOutSince,
        Optional<Failing> failing,
        Counts counts,
        Optional<DriftRepairPolicy.Contested> contested,
        Flows flows) {

    /** The state of a reconciler. */
    public enum State {
        /** Not every source has been read completely yet; the kernel is not touched. */
        WAITING,
        /** The kernel holds the desired state. */
        IN_FORCE,
        /** The last sync failed; it is tried again. */
        FAILING,
        /** The reconciler has ended. */
        STOPPED
    }

    /**
     * Connections that outlived their endpoints.
     *
     * @param deleted since the reconciler started
     * @param problem why they cannot be deleted now; the deletion is tried again, and the reconciler does not count as failing
     * @param since when there began to be a problem; empty while there is none
     */
    public record Flows(long deleted, Optional<String> problem, Optional<Instant> since) {
        public static final Flows NONE = new Flows(0, Optional.empty(), Optional.empty());

        /** The figures after a sweep at {@code now}. */
        public Flows after(long more, Optional<String> problemNow, Instant now) {
            return new Flows(deleted + more, problemNow, problemNow.map(ignored -> since.orElse(now)));
        }
    }

    /** A sync that changed the kernel. */
    public record Done(Instant at, Duration took, SyncResult report) {}

    /**
     * A series of failed syncs.
     *
     * @param since the first of them
     * @param attempts how many, 1 or more
     * @param reason why the last one failed
     * @param retry how long until the next one
     */
    public record Failing(Instant since, int attempts, String reason, Duration retry) {}

    /**
     * The totals over all syncs.
     *
     * @param applied transactions the kernel accepted
     * @param refused syncs that the kernel refused, or that could not reach it; a race lost to another program does not count
     * @param repairs syncs that reverted external changes of our rules
     */
    public record Counts(long applied, long refused, long repairs, long messages, long bytes) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        public Counts plus(SyncResult report, boolean repair) {
            // When another program was faster, the kernel did not object to what we wanted.
            boolean refusal = report.needsRetry() && !(report.result() instanceof SyncResult.Result.Outdated);
            return new Counts(
                    applied + report.transactions(),
                    refused + (refusal ? 1 : 0),
                    repairs + (repair && !report.needsRetry() && report.ops() > 0 ? 1 : 0),
                    messages + report.messages(),
                    bytes + report.bytes());
        }
    }

    public static FamilyStatus initial(IpFamily family) {
        return new FamilyStatus(
                family,
                State.WAITING,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Counts.NONE,
                Optional.empty(),
                Flows.NONE);
    }

    /** Why the last sync failed; empty when it succeeded. */
    public String lastError() {
        return failing.map(Failing::reason).orElse("");
    }

    /** Since when Services have been left out, after a sync at {@code now} that leaves out these; empty when it leaves out none. */
    public Optional<Instant> leftOutSince(Map<ServiceKey, String> leftOut, Instant now) {
        return leftOut.isEmpty() ? Optional.empty() : leftOutSince.or(() -> Optional.of(now));
    }

    /** The same reconciler in another state. */
    public FamilyStatus in(State other) {
        return new FamilyStatus(family, other, lastChange, lastSync, leftOutSince, failing, counts, contested, flows);
    }

    /** The same reconciler, with other figures of connections. */
    public FamilyStatus with(Flows now) {
        return new FamilyStatus(family, state, lastChange, lastSync, leftOutSince, failing, counts, contested, now);
    }
}
