package io.dualstackd.agent.app;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.DriftRepairPolicy;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.metrics.RecentLatencies;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the status report from the state of the daemon. */
public final class StatusReports {
    private final String version;
    private final DaemonSettings settings;
    private final Instant startedAt;

    public StatusReports(String version, DaemonSettings settings, Instant startedAt) {
        this.version = version;
        this.settings = settings;
        this.startedAt = startedAt;
    }

    /** As {@link #of(Daemon, List, Optional, Optional)}, for a daemon that writes no CNI configuration. */
    public StatusReport of(Daemon daemon, List<String> notes, Optional<StatusReport.Reload> reload) {
        return of(daemon, notes, Optional.empty(), reload);
    }

    /**
     * @param notes settings of the host that are not as they should be
     * @param cni why the CNI configuration is not in place
     * @param reload the last time the configuration was read again
     */
    public StatusReport of(
            Daemon daemon, List<String> notes, Optional<String> cni, Optional<StatusReport.Reload> reload) {
        ObjectSource source = daemon.source();
        Store.Size size = daemon.size();
        return new StatusReport(
                version,
                settings.node().name(),
                ProcessHandle.current().pid(),
                startedAt,
                Instant.now(),
                new StatusReport.Source(
                        settings.source().kind(),
                        source.place(),
                        source.outageReason(),
                        daemon.synced(),
                        size.services(),
                        size.slices(),
                        size.nodes(),
                        source.outage(),
                        source.lastContact()),
                families(daemon),
                source.problems(),
                source.unused(),
                daemon.closedHealthPorts(),
                addresses(
                        daemon.addresses(),
                        Stream.concat(daemon.unansweredNodePorts().stream(), source.nodeProblems().stream())
                                .toList()),
                daemon.runtime(),
                source.ledger().map(ServiceLedger::figures),
                daemon.dns(),
                new StatusReport.Setup(
                        Stream.concat(notes.stream(), daemon.leftovers().stream())
                                .toList(),
                        cni,
                        settings.missing(),
                        reload),
                daemon.components());
    }

    private List<StatusReport.Family> families(Daemon daemon) {
        return Stream.concat(
                        daemon.statuses().stream().map(status -> family(status, daemon.meter(status.family()))),
                        settings.missing().keySet().stream().map(StatusReport.Family::off))
                .sorted(Comparator.comparing(StatusReport.Family::family))
                .toList();
    }

    private static StatusReport.OwnAddresses addresses(NodeAddressTracker live, List<String> unanswered) {
        if (!live.isSettled()) {
            return new StatusReport.OwnAddresses(
                    List.of(), List.of("not known yet: sources are still being read"), List.of());
        }
        AddressChoice choice = live.choice();
        List<StatusReport.OwnAddress> chosen = choice.found().stream()
                .flatMap(addresses -> addresses.chosen().stream())
                .map(c -> new StatusReport.OwnAddress(
                        c.address().type().toString(), c.address().text(), c.reason()))
                .toList();
        List<String> warnings = new ArrayList<>();
        switch (choice) {
            case AddressChoice.Found(var addresses, var ignored) -> warnings.addAll(addresses.warnings());
            case AddressChoice.None(String reason, var passedOver) -> {
                warnings.add(reason);
                passedOver.forEach(p -> warnings.add("not " + p.candidate() + " because " + p.reason()));
            }
        }
        live.watchError().ifPresent(why -> warnings.add("changes may go unnoticed: " + why));
        List<String> attention = new ArrayList<>(unanswered);
        live.refused()
                .ifPresent(why -> attention.add(
                        "this node has no address: " + why + "; give the host that address, or change --node-ips"));
        return new StatusReport.OwnAddresses(chosen, warnings, attention);
    }

    private StatusReport.Family family(FamilyStatus status, FamilyMeter meter) {
        return new StatusReport.Family(
                status.family(),
                settings.mode().toString(),
                variant(),
                phase(status.state()),
                status.lastSync()
                        .map(pass -> objects(status, pass, meter.withoutLocal()))
                        .orElse(StatusReport.Objects.NONE),
                new StatusReport.Totals(
                        status.counts().applied(),
                        status.counts().refused(),
                        status.counts().repairs(),
                        status.counts().messages(),
                        status.counts().bytes(),
                        status.flows().deleted()),
                status.lastChange().map(StatusReports::transaction),
                failure(status, startedAt),
                status.contested().map(StatusReports::contest),
                latency(meter.recent()));
    }

    private static Optional<StatusReport.Latency> latency(RecentLatencies.Sorted recent) {
        return recent.count() == 0
                ? Optional.empty()
                : Optional.of(new StatusReport.Latency(
                        recent.count(),
                        Duration.ofNanos(recent.quantile(0.5)),
                        Duration.ofNanos(recent.quantile(0.99))));
    }

    private static StatusReport.Contest contest(DriftRepairPolicy.Contested fight) {
        return new StatusReport.Contest(
                fight.by().process(), fight.by().pid(), fight.what(), fight.since(), fight.repairs(), fight.pause());
    }

    private String variant() {
        return switch (settings.mode()) {
            case IPTABLES -> settings.variant().toString();
            case IPVS -> IptablesVariant.NF_TABLES.toString();
            case NFTABLES -> "";
        };
    }

    private static StatusReport.Phase phase(FamilyStatus.State state) {
        return switch (state) {
            case WAITING -> StatusReport.Phase.STARTING;
            case IN_FORCE -> StatusReport.Phase.READY;
            case FAILING -> StatusReport.Phase.RETRYING;
            case STOPPED -> StatusReport.Phase.OFF;
        };
    }

    private static StatusReport.Objects objects(FamilyStatus status, SyncResult report, WithoutLocal withoutLocal) {
        SyncResult.Totals totals = report.totals();
        return new StatusReport.Objects(
                totals.services(),
                totals.servicePorts(),
                totals.endpoints(),
                totals.chains(),
                totals.rules(),
                tables(status, report),
                withoutLocal);
    }

    private static List<StatusReport.Table> tables(FamilyStatus status, SyncResult report) {
        List<SyncResult.TableRules> written =
                status.lastChange().map(change -> change.report().tables()).orElse(List.of());
        return report.tables().stream()
                .map(table -> new StatusReport.Table(
                        table.table().toString(),
                        table.inForce(),
                        written.stream()
                                .filter(other -> other.table() == table.table())
                                .mapToInt(SyncResult.TableRules::written)
                                .findFirst()
                                .orElse(0)))
                .toList();
    }

    private static StatusReport.Transaction transaction(FamilyStatus.Done done) {
        return new StatusReport.Transaction(
                done.at(),
                done.took(),
                done.report().messages(),
                done.report().bytes(),
                done.report().ops());
    }

    /** The failure to delete stale flows; the rules are in force nevertheless. */
    private static Optional<StatusReport.Failure> flows(FamilyStatus status, Instant startedAt) {
        return status.flows()
                .problem()
                .map(words -> new StatusReport.Failure(
                        status.flows().since().orElse(startedAt),
                        Optional.empty(),
                        "delete UDP flows to endpoints that no longer serve",
                        words,
                        "the rules are in force; this is tried again with the next change, and every "
                                + StaleFlowSweep.RETRY.toSeconds() + " s"));
    }

    /** A reconciler in force may still have Services that the kernel refuses. */
    static Optional<StatusReport.Failure> failure(FamilyStatus status, Instant startedAt) {
        if (status.failing().isPresent()) {
            FamilyStatus.Failing failing = status.failing().get();
            return Optional.of(new StatusReport.Failure(
                    failing.since(),
                    Optional.of(failing.attempts()),
                    "apply the desired state to the kernel",
                    failing.reason(),
                    "compare all and try again in " + failing.retry().toMillis() + " ms"));
        }
        List<String> leftOut = status.lastSync().stream()
                .flatMap(report -> report.leftOut().entrySet().stream())
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .sorted()
                .toList();
        return leftOut.isEmpty()
                ? flows(status, startedAt)
                : Optional.of(new StatusReport.Failure(
                        status.leftOutSince().orElse(startedAt),
                        Optional.empty(),
                        "program every service (" + leftOut.size() + " left out)",
                        String.join("; ", leftOut),
                        "the others are in force; these are tried again when they change, and every few minutes"));
    }
}
