package io.dualstackd.admin;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.RelistPace;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.RuntimeConditions.Condition;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link StatusReport} as text for people. */
public final class StatusText {
    private final StatusReport report;
    private final StringBuilder text = new StringBuilder();

    private StatusText(StatusReport report) {
        this.report = report;
    }

    /** Returns several lines, the last one ended by a newline. */
    public static String of(StatusReport report) {
        StatusText status = new StatusText(report);
        status.head();
        status.addresses();
        status.families();
        status.failures();
        status.closedHealthPorts();
        status.problems();
        status.unused();
        return status.text.toString();
    }

    private void head() {
        Health health = report.health();
        line("dualstackd " + report.version() + " on " + report.node() + ": "
                + (health.word() == Health.Word.HEALTHY
                        ? health.word()
                        : health.word().toString().toUpperCase(Locale.ROOT)));
        String label = "reasons    ";
        for (Health.Reason reason : health.reasons()) {
            line(label + reason.text());
            label = " ".repeat(label.length());
        }
        line("running    " + span(report.startedAt()) + ", since " + seconds(report.startedAt()) + ", pid "
                + report.pid());
        line("source     " + report.source().kind() + " " + report.source().place() + ": " + sizes(report.source())
                + report.source()
                        .lastContact()
                        .map(ago -> ", last contact " + span(ago) + " ago")
                        .orElse(""));
        report.source().error().ifPresent(why -> line("           no updates: " + why));
        report.runtime().ifPresent(this::runtime);
        report.dns().ifPresent(this::dns);
        report.components().forEach(this::component);
        report.setup().reload().ifPresent(this::reload);
        report.setup().notes().forEach(note -> line("host       " + note));
    }

    /** Prints a component only if it has failed since the start; one that is overdue is a reason for the word in the first line. */
    private void component(ComponentState state) {
        state.lastFailure()
                .ifPresent(last -> line("component  " + state.component() + " was started again "
                        + count(state.restarts(), "time") + ", the last time " + span(last.ago()) + " ago: "
                        + last.what()));
    }

    private void reload(StatusReport.Reload reload) {
        line("config     read again " + span(reload.at()) + " ago: " + reload.what());
        if (!reload.restart().isEmpty()) {
            line("           restart needed: " + String.join(", ", reload.restart()));
        }
    }

    private void addresses() {
        String label = "addresses  ";
        for (StatusReport.OwnAddress own : report.addresses().chosen()) {
            line(label + own.type() + " " + own.address() + (own.reason().isEmpty() ? "" : " (" + own.reason() + ")"));
            label = " ".repeat(label.length());
        }
        for (String warning : report.addresses().warnings()) {
            line(label + warning);
            label = " ".repeat(label.length());
        }
    }

    private static String sizes(StatusReport.Source source) {
        return source.synced()
                ? count(source.services(), "service") + ", " + count(source.slices(), "slice") + ", "
                        + count(source.nodes(), "node")
                : "not read yet";
    }

    private void runtime(StatusReport.ContainerRuntime runtime) {
        RuntimeReport state = runtime.state();
        String name =
                state.version().map(v -> v.name() + " " + v.version() + " at ").orElse("");
        line("runtime    " + name + state.endpoint() + ": " + summary(state));
        line("pods       " + count(runtime.pods(), "pod") + ", " + runtime.alive() + " alive; events "
                + state.events() + ", listed every "
                + (state.trusted() ? RelistPace.LONG : RelistPace.SHORT).toSeconds() + " s; failovers "
                + runtime.failovers() + ", hidden endpoints " + runtime.hidden());
        state.outage()
                .ifPresent(outage -> line("           no answer for " + span(outage.since())
                        + ", pods stay as they were: " + outage.reason()));
    }

    private void dns(DnsReport dns) {
        String open = dns.listeners().stream()
                .filter(listener -> listener.error().isEmpty())
                .map(DnsReport.Listener::address)
                .collect(Collectors.joining(", "));
        line("dns        " + dns.domain() + " on " + (open.isEmpty() ? "NO ADDRESS" : open)
                + (dns.clusterIps().isEmpty()
                        ? ""
                        : "; pods ask "
                                + dns.clusterIps().stream().map(Ip::toString).collect(Collectors.joining(", "))));
        dns.figures()
                .ifPresent(figures -> line("           "
                        + count(figures.udpQueries() + figures.tcpQueries(), "question") + ", "
                        + figures.forwarded() + " forwarded to other resolvers ("
                        + (dns.resolvers().isEmpty() ? "none" : String.join(", ", dns.resolvers())) + "), "
                        + figures.cached() + " remembered, "
                        + figures.foreign() + " of clients that are not answered"));
        dns.problems().forEach(text -> line("           " + text));
    }

    /** The state of the container runtime, in half a line. */
    private static String summary(RuntimeReport state) {
        if (state.outage().isPresent()) {
            return "NOT ANSWERING";
        } else if (state.listed().isEmpty()) {
            return "not asked yet";
        }
        return state.conditions()
                .map(conditions -> "ready" + unlessHolds("runtime", conditions.runtime())
                        + unlessHolds("network", conditions.network()))
                .orElse("answers");
    }

    private static String unlessHolds(String name, Condition condition) {
        return condition.holds()
                ? ""
                : ", but its " + name + " is not: " + condition.reason() + " " + condition.message();
    }

    private void families() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "MODE", "STATE", "SERVICES", "PORTS", "ENDPOINTS", "CHAINS", "RULES", "LAST CHANGE"));
        for (StatusReport.Family f : report.families()) {
            if (f.phase() == StatusReport.Phase.OFF) {
                rows.add(List.of(
                        f.family().toString(),
                        "-",
                        "off",
                        "",
                        "",
                        "",
                        "",
                        "",
                        report.setup().missing().getOrDefault(f.family(), "this host has no " + f.family())));
                continue;
            }
            StatusReport.Objects o = f.objects();
            rows.add(List.of(
                    f.family().toString(),
                    f.mode() + (f.variant().isEmpty() ? "" : " (" + f.variant() + ")"),
                    f.phase().toString(),
                    Integer.toString(o.services()),
                    Integer.toString(o.servicePorts()),
                    Integer.toString(o.endpoints()),
                    Integer.toString(o.chains()),
                    Integer.toString(o.rules()),
                    f.last().map(this::change).orElse("none yet")));
        }
        text.append('\n');
        table(rows);
        for (StatusReport.Family f : report.families()) {
            f.latency()
                    .ifPresent(latency -> line(f.family() + " changes in force after " + ms(latency.median())
                            + " (median), " + ms(latency.p99()) + " (p99 of the last " + latency.changes() + ")"));
            nothingLocal(f);
            if (f.totals().staleFlows() > 0) {
                line(f.family() + " stale flows deleted: " + f.totals().staleFlows());
            }
        }
    }

    private void nothingLocal(StatusReport.Family family) {
        WithoutLocal ports = family.objects().withoutLocal();
        if (!ports.equals(WithoutLocal.NONE)) {
            int all = ports.internal() + ports.external();
            String which = Stream.of(
                            ports.internal() == 0 ? "" : count(ports.internal(), "ClusterIP port"),
                            ports.external() == 0 ? "" : count(ports.external(), "external port"))
                    .filter(Predicate.not(String::isEmpty))
                    .collect(Collectors.joining(" and "));
            line(family.family() + " nothing local here: " + which + (all == 1 ? " drops" : " drop")
                    + " what reaches this node: the policy is Local, and no endpoint is on this node"
                    + " ('dualstackd describe service -A' says which)");
        }
    }

    private String change(StatusReport.Transaction t) {
        return span(t.at()) + " ago: " + count(t.steps(), "step") + " in " + ms(t.took()) + ", "
                + count(t.messages(), "message") + ", " + bytes(t.bytes());
    }

    private void failures() {
        for (StatusReport.Family f : report.families()) {
            f.contest().ifPresent(c -> {
                text.append('\n');
                line(f.family() + " is contested by "
                        + (c.process().isEmpty() ? "an unknown process" : c.process() + " (" + c.pid() + ")")
                        + " for " + span(c.since()) + ":");
                line("  what  " + c.what());
                line("  next  repair at most every " + c.pause().toSeconds() + " s, " + count(c.repairs(), "time")
                        + " so far");
            });
            f.error().ifPresent(e -> {
                text.append('\n');
                line(f.family()
                        + e.attempts()
                                .map(attempts ->
                                        " is failing for " + span(e.since()) + ", " + count(attempts, "attempt") + ":")
                                .orElseGet(() -> " is incomplete for " + span(e.since()) + ", since "
                                        + seconds(e.since()) + ":"));
                line("  what  " + e.what());
                line("  error " + e.message());
                line("  next  " + e.next());
            });
        }
    }

    private void closedHealthPorts() {
        if (!report.closedHealthPorts().isEmpty()) {
            text.append('\n');
            line("ports for health checks and metrics that cannot be opened, tried again:");
            report.closedHealthPorts().forEach(port -> line("  " + port));
        }
    }

    private void problems() {
        if (!report.problems().isEmpty()) {
            text.append('\n');
            line(count(report.problems().size(), "problem") + " in "
                    + (report.source().kind().equals("manifests") ? "manifests" : "objects") + ":");
            for (Problem problem : report.problems()) {
                line("  " + (problem.isError() ? "error  " : "warning") + " " + problem);
            }
        }
    }

    private void unused() {
        List<Unused.Item> items = report.unused().items();
        if (items.isEmpty()) {
            return;
        }
        text.append('\n');
        line("not used:");
        int width = items.stream().mapToInt(item -> item.name().length()).max().orElse(0);
        items.forEach(
                item -> line("  " + item.name() + " ".repeat(width - item.name().length()) + "  " + item.reason()));
        if (report.unused().more() > 0) {
            line("  and " + report.unused().more() + " more");
        }
    }

    /** Appends a table with numbers aligned to the right and words to the left. */
    private void table(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                boolean number = i >= 3 && i < columns - 1;
                String gap = " ".repeat(widths[i] - row.get(i).length());
                line.append(number ? gap + row.get(i) : row.get(i) + gap).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private String span(Instant since) {
        return span(Duration.between(since, report.madeAt()));
    }

    private static String span(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        } else if (seconds < 3_600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        } else if (seconds < 86_400) {
            return seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String ms(Duration duration) {
        return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
    }

    private static String bytes(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        return bytes < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    private static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }
}
