package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.Counts;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.supervision.sys.Platform;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as a partial sync that the kernel refused ({@code …_partial_restore_failures_total}). */
final class ReconcilerMeterTest {
    private final FamilyMeter meter = new FamilyMeter(IpFamily.IPV4, Instant.EPOCH, () -> ChangeMetadata.Counts.NONE);
    private final ReconcilerMeter observer = new ReconcilerMeter(meter, Platform.system());
    private Counts counts = Counts.NONE;

    private void ended(State state, SyncResult result) {
        counts = counts.plus(result, false);
        status(state, result);
    }

    private void status(State state, SyncResult result) {
        observer.onStart();
        observer.onStatus(new FamilyStatus(
                IpFamily.IPV4,
                state,
                Optional.empty(),
                Optional.of(result),
                Optional.empty(),
                Optional.empty(),
                counts,
                Optional.empty(),
                FamilyStatus.Flows.NONE));
    }

    @Test
    void aRefusalCounts() {
        ended(
                State.FAILING,
                SyncResultBuilder.sync(new Result.Refused(List.of())).result());
        assertThat(meter.partialFailures()).isEqualTo(1);
        ended(
                State.FAILING,
                SyncResultBuilder.sync(new Result.Unreachable("no socket")).result());
        assertThat(meter.partialFailures()).isEqualTo(2);
    }

    @Test
    void aFullComparisonIsNoPartialSync() {
        ended(
                State.FAILING,
                SyncResultBuilder.sync(new Result.Refused(List.of()))
                        .comparedAll()
                        .result());
        ended(State.FAILING, SyncResultBuilder.sync(new Result.Outdated()).result());
        assertThat(meter.partialFailures()).isZero();
    }

    @Test
    void beingOutrunByAnotherProgramIsNoFailure() {
        ended(State.FAILING, SyncResultBuilder.sync(new Result.Outdated()).result());
        assertThat(meter.partialFailures()).isZero();
    }

    /** The status then has the result of the last sync that ended. */
    @Test
    void anInternalErrorIsNoRefusal() {
        SyncResult done = SyncResultBuilder.sync(new Result.InForce()).ops(1).result();
        ended(State.IN_FORCE, done);
        status(State.FAILING, done);
        assertThat(meter.partialFailures()).isZero();
    }
}
