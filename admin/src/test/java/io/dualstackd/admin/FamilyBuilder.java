package io.dualstackd.admin;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Builds a {@link StatusReport.Family} for a test, from that of a family whose rules are in force in iptables mode. */
final class FamilyBuilder {
    private final IpFamily family;
    private String mode = "iptables";
    private String variant = "nf_tables";
    private StatusReport.Phase phase = StatusReport.Phase.READY;
    private StatusReport.Objects objects;
    private StatusReport.Totals totals = new StatusReport.Totals(7, 0, 1, 900, 123_456, 4);
    private Optional<StatusReport.Transaction> last = Optional.of(new StatusReport.Transaction(
            StatusReportBuilder.NOW.minusSeconds(3), Duration.ofNanos(2_100_000), 12, 3_420, 17));
    private Optional<StatusReport.Failure> error = Optional.empty();
    private Optional<StatusReport.Contest> contest = Optional.empty();
    private Optional<StatusReport.Latency> latency =
            Optional.of(new StatusReport.Latency(256, Duration.ofNanos(900_000), Duration.ofNanos(4_200_000)));

    private FamilyBuilder(IpFamily family) {
        this.family = family;
        objects = new StatusReport.Objects(
                12,
                14,
                120,
                150,
                612,
                List.of(new StatusReport.Table("nat", 500, 3), new StatusReport.Table("filter", 112, 0)),
                new WithoutLocal(0, family == IpFamily.IPV6 ? 2 : 0));
    }

    static FamilyBuilder family(IpFamily family) {
        return new FamilyBuilder(family);
    }

    FamilyBuilder nftables() {
        mode = "nftables";
        variant = "";
        return this;
    }

    /** Refused by the kernel since the start. */
    FamilyBuilder refused(StatusReport.Failure value, int times) {
        phase = StatusReport.Phase.RETRYING;
        objects = StatusReport.Objects.NONE;
        totals = new StatusReport.Totals(0, times, 0, 0, 0, 0);
        last = Optional.empty();
        error = Optional.of(value);
        latency = Optional.empty();
        return this;
    }

    /** In force, but for a part. */
    FamilyBuilder incomplete(StatusReport.Failure value) {
        error = Optional.of(value);
        return this;
    }

    FamilyBuilder contest(StatusReport.Contest value) {
        contest = Optional.of(value);
        return this;
    }

    StatusReport.Family build() {
        return new StatusReport.Family(family, mode, variant, phase, objects, totals, last, error, contest, latency);
    }
}
