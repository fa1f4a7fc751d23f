package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatusReportsTest {
    /** A daemon that finds its rules in force when it starts changes none, so there is no time of a last change. */
    @Test
    void aFailureWithoutAnyChangeBeganWithTheDaemon() {
        Instant started = Instant.parse("2026-01-02T03:04:05Z");
        FamilyStatus status = FamilyStatus.initial(IpFamily.IPV4)
                .in(FamilyStatus.State.IN_FORCE)
                .with(new FamilyStatus.Flows(0, Optional.of("no answer")));
        assertThat(StatusReports.failure(status, started).map(StatusReport.Failure::since))
                .contains(started);
    }
}
