package io.dualstackd.admin;

import io.dualstackd.dns.DnsFigures;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.Optional;

/** A {@link StatusReport} as a tree, for JSON and YAML. Keys are only ever added; durations are in milliseconds, times in RFC 3339. */
public final class StatusJson {
    private StatusJson() {}

    /** The report as an object. */
    public static Tree of(StatusReport report) {
        Health health = report.health();
        return Tree.object("version", report.version())
                .with("node", report.node())
                .with("pid", report.pid())
                .with("healthy", health.word() != Health.Word.FAILED)
                .with("health", health.word())
                .with(
                        "reasons",
                        health.reasons().stream().map(StatusJson::reason).toList())
                .with("startedAt", report.startedAt())
                .with("madeAt", report.madeAt())
                .with("source", source(report.source()))
                .with(
                        "nodeAddresses",
                        report.addresses().chosen().stream()
                                .map(StatusJson::address)
                                .toList())
                .with("nodeAddressTroubles", report.addresses().warnings())
                .with(
                        "families",
                        report.families().stream()
                                .map(family -> family(family)
                                        .with(
                                                "reason",
                                                Optional.ofNullable(
                                                        report.setup().missing().get(family.family()))))
                                .toList())
                .with(
                        "problems",
                        report.problems().stream().map(StatusJson::problem).toList())
                .with(
                        "unused",
                        report.unused().items().stream()
                                .map(item -> Tree.object("name", item.name()).with("reason", item.reason()))
                                .toList())
                .with("unusedMore", report.unused().more())
                .with("closedHealthPorts", report.closedHealthPorts())
                .with("runtime", report.runtime().map(StatusJson::runtime))
                .with("dns", report.dns().map(StatusJson::dns))
                .with("hostNotes", report.setup().notes())
                .with("reload", report.setup().reload().map(StatusJson::reload))
                .with(
                        "components",
                        report.components().stream().map(StatusJson::component).toList());
    }

    private static Tree reason(Health.Reason reason) {
        return Tree.object("reason", reason.kind()).with("text", reason.text());
    }

    private static Tree component(ComponentState state) {
        return Tree.object("component", state.component())
                .with("purpose", state.component().purpose())
                .with("required", state.component().isRequired())
                .with("ageMs", ms(state.age()))
                .with("deadlineMs", ms(state.component().deadline()))
                .with("overdue", state.overdue())
                .with("restarts", state.restarts())
                .with("lastFailureMsAgo", state.lastFailure().map(last -> ms(last.ago())))
                .with("lastFailure", state.lastFailure().map(ComponentState.Failure::what));
    }

    private static Tree reload(StatusReport.Reload reload) {
        return Tree.object("at", reload.at())
                .with("good", reload.good())
                .with("what", reload.what())
                .with("restartNeeded", reload.restart());
    }

    private static Tree runtime(StatusReport.ContainerRuntime runtime) {
        RuntimeReport state = runtime.state();
        return Tree.object("endpoint", state.endpoint())
                .with("name", state.version().map(RuntimeVersion::name).orElse(""))
                .with("version", state.version().map(RuntimeVersion::version).orElse(""))
                .with("answers", state.outage().isEmpty() && state.listed().isPresent())
                .with("ready", state.conditions().map(c -> c.runtime().holds()))
                .with("networkReady", state.conditions().map(c -> c.network().holds()))
                .with("events", state.events())
                .with("eventsTrusted", state.trusted())
                .with("listedAt", state.listed())
                .with("silentSince", state.outage().map(RuntimeReport.Outage::since))
                .with("said", state.outage().map(RuntimeReport.Outage::reason))
                .with("pods", runtime.pods())
                .with("alive", runtime.alive())
                .with("failovers", runtime.failovers())
                .with("hiddenEndpoints", runtime.hidden());
    }

    private static Tree dns(DnsReport dns) {
        return Tree.object("domain", dns.domain())
                .with(
                        "listeners",
                        dns.listeners().stream()
                                .map(listener -> Tree.object("address", listener.address())
                                        .with("open", listener.error().isEmpty())
                                        .with("trouble", listener.error()))
                                .toList())
                .with("clusterIPs", dns.clusterIps())
                .with("resolvers", dns.resolvers())
                .with("troubles", dns.problems())
                .with(
                        "questions",
                        dns.figures()
                                .map(figures -> figures.udpQueries() + figures.tcpQueries())
                                .orElse(0L))
                .with("services", dns.figures().map(DnsFigures::services).orElse(0));
    }

    private static Tree source(StatusReport.Source source) {
        return Tree.object("kind", source.kind())
                .with("place", source.place())
                .with("synced", source.synced())
                .with("services", source.services())
                .with("slices", source.slices())
                .with("nodes", source.nodes())
                .with("trouble", source.error())
                .with("outageMs", source.outage().map(StatusJson::ms))
                .with("lastContactMsAgo", source.lastContact().map(StatusJson::ms));
    }

    private static Tree address(StatusReport.OwnAddress address) {
        return Tree.object("type", address.type())
                .with("address", address.address())
                .with("reason", address.reason());
    }

    private static Tree.Mapping family(StatusReport.Family family) {
        return Tree.object("family", family.family())
                .with("mode", family.mode())
                .with("variant", family.variant())
                .with("phase", family.phase())
                .with("objects", objects(family.objects()))
                .with("totals", totals(family.totals()))
                .with("last", family.last().map(StatusJson::transaction))
                .with("latency", family.latency().map(StatusJson::latency))
                .with("error", family.error().map(StatusJson::error))
                .with("contestedBy", family.contest().map(StatusJson::contest));
    }

    private static Tree objects(StatusReport.Objects objects) {
        return Tree.object("services", objects.services())
                .with("servicePorts", objects.servicePorts())
                .with("endpoints", objects.endpoints())
                .with("chains", objects.chains())
                .with("rules", objects.rules())
                .with("internalPortsWithoutLocal", objects.withoutLocal().internal())
                .with("externalPortsWithoutLocal", objects.withoutLocal().external());
    }

    private static Tree totals(StatusReport.Totals totals) {
        return Tree.object("transactions", totals.transactions())
                .with("refused", totals.refused())
                .with("repairs", totals.repairs())
                .with("messages", totals.messages())
                .with("bytes", totals.bytes())
                .with("staleFlows", totals.staleFlows());
    }

    private static Tree transaction(StatusReport.Transaction last) {
        return Tree.object("at", last.at())
                .with("tookMs", ms(last.took()))
                .with("messages", last.messages())
                .with("bytes", last.bytes())
                .with("steps", last.steps());
    }

    private static Tree latency(StatusReport.Latency latency) {
        return Tree.object("changes", latency.changes())
                .with("medianMs", ms(latency.median()))
                .with("p99Ms", ms(latency.p99()));
    }

    private static Tree error(StatusReport.Failure error) {
        return Tree.object("since", error.since())
                .with("attempts", error.attempts())
                .with("what", error.what())
                .with("said", error.message())
                .with("next", error.next());
    }

    private static Tree contest(StatusReport.Contest contest) {
        return Tree.object("process", contest.process())
                .with("pid", contest.pid())
                .with("what", contest.what())
                .with("since", contest.since())
                .with("repairs", contest.repairs())
                .with("pauseMs", ms(contest.pause()));
    }

    private static Tree problem(Problem problem) {
        Tree.Mapping severity = Tree.object("severity", problem.isError() ? "error" : "warning");
        Tree.Mapping place = switch (problem.place()) {
            case Place.InFile(String file, int document, int line, String field) ->
                severity.with("file", file)
                        .with("document", document)
                        .with("line", line)
                        .with("field", field);
            case Place.Flag(String name) -> severity.with("flag", name);
        };
        return place.with("object", problem.object())
                .with("value", problem.value())
                .with("rule", problem.rule());
    }

    private static double ms(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
