package io.dualstackd.admin;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Builds a {@link StatusReport} for a test, from that of a daemon that has run for three hours and has nothing to report. */
public final class StatusReportBuilder {
    /** When reports are made. */
    static final Instant NOW = Instant.parse("2026-11-21T05:00:00.5Z");

    private StatusReport.Source source = new StatusReport.Source(
            "manifests",
            "/etc/dualstackd/manifests",
            Optional.empty(),
            true,
            12,
            24,
            1,
            Optional.empty(),
            Optional.empty());
    private List<StatusReport.Family> families = List.of();
    private List<Problem> problems = List.of();
    private Unused unused = Unused.NONE;
    private List<String> closedHealthPorts = List.of();
    private StatusReport.OwnAddresses addresses = new StatusReport.OwnAddresses(List.of(), List.of(), List.of());
    private Optional<StatusReport.ContainerRuntime> runtime = Optional.empty();
    private Optional<LedgerFigures> ledger = Optional.empty();
    private Optional<DnsReport> dns = Optional.empty();
    private StatusReport.Setup setup = StatusReport.Setup.NONE;
    private List<ComponentState> components = List.of();

    private StatusReportBuilder() {}

    public static StatusReportBuilder report() {
        return new StatusReportBuilder();
    }

    /** The same as another report, except for what is set afterwards. */
    public static StatusReportBuilder like(StatusReport other) {
        StatusReportBuilder given = report().source(other.source())
                .families(other.families())
                .problems(other.problems())
                .closedHealthPorts(other.closedHealthPorts())
                .addresses(other.addresses())
                .components(other.components().toArray(ComponentState[]::new));
        given.unused = other.unused();
        given.runtime = other.runtime();
        given.ledger = other.ledger();
        given.dns = other.dns();
        given.setup = other.setup();
        return given;
    }

    public StatusReportBuilder source(StatusReport.Source value) {
        source = value;
        return this;
    }

    /** With an API server as the source, which last sent something so long ago. */
    public StatusReportBuilder cluster(Duration lastContact) {
        return cluster(Optional.empty(), Optional.empty(), lastContact);
    }

    /** With an API server as the source, which has not been reachable for so long. */
    public StatusReportBuilder unreachableCluster(Duration outage) {
        return cluster(Optional.of("no answer"), Optional.of(outage), outage);
    }

    private StatusReportBuilder cluster(Optional<String> error, Optional<Duration> outage, Duration lastContact) {
        return source(new StatusReport.Source(
                "cluster", "https://10.0.0.1:6443", error, true, 12, 24, 1, outage, Optional.of(lastContact)));
    }

    public StatusReportBuilder families(List<StatusReport.Family> values) {
        families = values;
        return this;
    }

    public StatusReportBuilder problems(List<Problem> values) {
        problems = values;
        return this;
    }

    public StatusReportBuilder unused(Unused value) {
        unused = value;
        return this;
    }

    public StatusReportBuilder closedHealthPorts(List<String> values) {
        closedHealthPorts = values;
        return this;
    }

    public StatusReportBuilder addresses(StatusReport.OwnAddresses value) {
        addresses = value;
        return this;
    }

    public StatusReportBuilder runtime(StatusReport.ContainerRuntime value) {
        runtime = Optional.of(value);
        return this;
    }

    public StatusReportBuilder ledger(LedgerFigures value) {
        ledger = Optional.of(value);
        return this;
    }

    public StatusReportBuilder dns(DnsReport value) {
        dns = Optional.of(value);
        return this;
    }

    /** With a CNI configuration that is not in place. */
    public StatusReportBuilder cni(String error) {
        setup = new StatusReport.Setup(setup.notes(), Optional.of(error), setup.missing(), setup.reload());
        return this;
    }

    public StatusReportBuilder components(ComponentState... values) {
        components = List.of(values);
        return this;
    }

    public StatusReport build() {
        return new StatusReport(
                "0.1.0",
                "node-1",
                4711,
                NOW.minus(Duration.ofMinutes(192)),
                NOW,
                source,
                families,
                problems,
                unused,
                closedHealthPorts,
                addresses,
                runtime,
                ledger,
                dns,
                setup,
                components);
    }
}
