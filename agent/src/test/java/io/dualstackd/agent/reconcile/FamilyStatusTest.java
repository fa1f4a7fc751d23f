package io.dualstackd.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.FamilyStatus.Counts;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FamilyStatusTest {
    private static SyncResult report(Result result, int ops) {
        int sent = result instanceof Result.InForce ? ops : 0;
        return SyncResultBuilder.sync(result)
                .comparedAll()
                .ops(ops)
                .sent(sent > 0 ? 1 : 0, sent, 10L * sent)
                .result();
    }

    @Test
    void countsPerState() {
        assertThat(Counts.NONE.plus(report(new Result.InForce(), 0), true)).isEqualTo(Counts.NONE);
        assertThat(Counts.NONE.plus(report(new Result.InForce(), 3), false)).isEqualTo(new Counts(1, 0, 0, 3, 30));
        assertThat(Counts.NONE.plus(report(new Result.InForce(), 3), true)).isEqualTo(new Counts(1, 0, 1, 3, 30));
        assertThat(Counts.NONE.plus(report(new Result.Refused(List.of()), 3), false))
                .isEqualTo(new Counts(0, 1, 0, 0, 0));
        assertThat(Counts.NONE.plus(report(new Result.Unreachable("?"), 0), false))
                .isEqualTo(new Counts(0, 1, 0, 0, 0));
    }

    @Test
    void lostRaceIsNotARefusal() {
        assertThat(Counts.NONE.plus(report(new Result.Outdated(), 3), false)).isEqualTo(Counts.NONE);
    }

    @Test
    void countsChangesBeforeAFailure() {
        SyncResult broken = SyncResultBuilder.sync(new Result.Outdated())
                .comparedAll()
                .ops(9)
                .sent(2, 5, 70)
                .result();
        assertThat(Counts.NONE.plus(broken, true)).isEqualTo(new Counts(2, 0, 0, 5, 70));
    }

    @Test
    void flowsHaveAProblemUntilASweepHasNone() {
        FamilyStatus.Flows flows = FamilyStatus.Flows.NONE.after(2, Optional.of("no answer"), Instant.EPOCH);
        assertThat(flows).isEqualTo(new FamilyStatus.Flows(2, Optional.of("no answer"), Optional.of(Instant.EPOCH)));
        assertThat(flows.after(1, Optional.of("no socket"), Instant.EPOCH.plusSeconds(1))
                        .since())
                .contains(Instant.EPOCH);
        assertThat(flows.after(1, Optional.empty(), Instant.EPOCH.plusSeconds(1)))
                .isEqualTo(new FamilyStatus.Flows(3, Optional.empty(), Optional.empty()));
    }
}
