package io.dualstackd.agent.reconcile;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one family's line is doing.
 *
 * @param state where it stands now
 * @param lastChange the last pass that changed the kernel, with its time and duration
 * @param lastPass what the last pass reported
 * @param failing the row of failed passes it is in; empty while all is well
 * @param counts since the line started
 * @param contested somebody else changes the same rules again and again
 * @param flows connections that outlived their endpoints
 */
public record FamilyStatus(
        IpFamily family,
        State state,
        Optional<Done> lastChange,
        Optional<SyncResult> lastPass,
        Optional<Failing> failing,
        Counts counts,
        Optional<DriftRepairPolicy.Contested> contested,
        Flows flows) {

    /** Where a line stands. */
    public enum State {
        /** Not every source has said "this is all there is" yet; the kernel is not touched. */
        WAITING,
        /** The kernel holds what is wanted. */
        IN_FORCE,
        /** The last pass failed; it is tried again. */
        FAILING,
        /** The line has ended. */
        STOPPED
    }

    /**
     * Connections that outlived their endpoints.
     *
     * @param deleted since the line started
     * @param problem why they cannot be deleted now; that is tried again, and no failure of the line
     */
    public record Flows(long deleted, Optional<String> problem) {
        public static final Flows NONE = new Flows(0, Optional.empty());
    }

    /** A pass that changed the kernel. */
    public record Done(Instant at, Duration took, SyncResult report) {}

    /**
     * A row of failed passes.
     *
     * @param since the first of them
     * @param attempts how many, 1 or more
     * @param reason why the last one failed
     * @param retry how long until the next one
     */
    public record Failing(Instant since, int attempts, String reason, Duration retry) {}

    /**
     * What passes did, in all.
     *
     * @param applied transactions the kernel took
     * @param refused passes that the kernel refused, or that could not reach it; a race lost against somebody else is none
     * @param repairs passes that changed the kernel back after somebody else had changed our rules
     */
    public record Counts(long applied, long refused, long repairs, long messages, long bytes) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        public Counts plus(SyncResult report, boolean repair) {
            // When somebody else was faster, the kernel had nothing against what we wanted.
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
                Counts.NONE,
                Optional.empty(),
                Flows.NONE);
    }

    /** Why the last pass failed; empty while all is well. */
    public String lastError() {
        return failing.map(Failing::reason).orElse("");
    }

    /** The same line in another state. */
    public FamilyStatus in(State other) {
        return new FamilyStatus(family, other, lastChange, lastPass, failing, counts, contested, flows);
    }

    /** The same line, with other news of connections. */
    public FamilyStatus with(Flows now) {
        return new FamilyStatus(family, state, lastChange, lastPass, failing, counts, contested, now);
    }
}
