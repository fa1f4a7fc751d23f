package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatusReportsTest {
    private static final Instant STARTED = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void aFailureToDeleteFlowsIsAsOldAsItsFirstSweep() {
        Instant first = STARTED.plusSeconds(60);
        FamilyStatus status = FamilyStatus.initial(IpFamily.IPV4)
                .in(FamilyStatus.State.IN_FORCE)
                .with(FamilyStatus.Flows.NONE
                        .after(0, Optional.of("no answer"), first)
                        .after(0, Optional.of("no answer"), first.plusSeconds(60)));
        assertThat(StatusReports.failure(status, STARTED).map(StatusReport.Failure::since))
                .contains(first);
    }

    /** Changes of other Services do not make the failure younger, and are no attempts. */
    @Test
    void servicesThatAreLeftOutAreCountedAndHaveAnAge() {
        Instant leftOut = STARTED.plusSeconds(60);
        SyncResult result = SyncResultBuilder.sync(new Result.InForce())
                .leftOut(Map.of(new ServiceKey("shop", "a"), "no", new ServiceKey("shop", "b"), "no"))
                .result();
        FamilyStatus status = new FamilyStatus(
                IpFamily.IPV4,
                FamilyStatus.State.IN_FORCE,
                Optional.of(new FamilyStatus.Done(leftOut.plusSeconds(60), Duration.ofMillis(1), result)),
                Optional.of(result),
                Optional.of(leftOut),
                Optional.empty(),
                FamilyStatus.Counts.NONE,
                Optional.empty(),
                FamilyStatus.Flows.NONE);
        assertThat(StatusReports.failure(status, STARTED)).hasValueSatisfying(failure -> {
            assertThat(failure.since()).isEqualTo(leftOut);
            assertThat(failure.attempts()).isEmpty();
            assertThat(failure.what()).isEqualTo("program every service (2 left out)");
        });
    }
}
