package io.dualstackd.admin.top;

import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Two answers of {@code top} about endpoints as a table for people: rates between them, and totals. Pure. */
public final class EndpointTable {
    private static final String NONE = "-";

    private EndpointTable() {}

    /** An endpoint of a port, and what was counted there in {@code seconds}. */
    private record Line(
            String endpoint, String service, OptionalLong connections, OptionalLong active, String state, double rate) {
        String rated(double seconds) {
            return seconds > 0 && connections.isPresent() ? String.format(Locale.ROOT, "%.1f", rate) : NONE;
        }
    }

    /**
     * The table.
     *
     * @param before the answer before; empty for the first one, which has no rates
     * @param lines at most so many endpoints; the busiest first
     */
    public static String of(Optional<Tree.Mapping> before, Tree.Mapping now, int lines) {
        double seconds = before.map(then ->
                        (TopTable.number(now.entries(), "atMillis") - TopTable.number(then.entries(), "atMillis"))
                                / 1000.0)
                .orElse(0.0);
        Map<String, Map<String, Tree>> past =
                before.map(EndpointTable::endpoints).orElse(Map.of());
        List<Line> all = new ArrayList<>();
        endpoints(now).forEach((name, endpoint) -> all.add(line(past.getOrDefault(name, endpoint), endpoint, seconds)));
        all.sort(Comparator.comparingDouble(Line::rate)
                .reversed()
                .thenComparing(Comparator.<Line>comparingLong(each -> each.active.orElse(0))
                        .reversed())
                .thenComparing(Comparator.<Line>comparingLong(each -> each.connections.orElse(0))
                        .reversed())
                .thenComparing(Line::service)
                .thenComparing(Line::endpoint));
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("ENDPOINT", "SERVICE", "CONNECTIONS/S", "CONNECTIONS", "ACTIVE", "STATE"));
        all.stream()
                .limit(lines)
                .forEach(each -> table.add(List.of(
                        each.endpoint,
                        each.service,
                        each.rated(seconds),
                        shown(each.connections),
                        shown(each.active),
                        each.state)));
        int more = all.size() - lines;
        return TextTable.print(table) + (more > 0 ? "… and " + more + " more\n" : "") + TopTable.notes(now);
    }

    private static Line line(Map<String, Tree> before, Map<String, Tree> now, double seconds) {
        String port = TopTable.text(now, "port");
        OptionalLong connections = number(now, "connections");
        long more = connections.orElse(0) - number(before, "connections").orElse(0);
        return new Line(
                TopTable.text(now, "endpoint") + "/" + TopTable.text(now, "protocol"),
                TopTable.text(now, "namespace") + "/" + TopTable.text(now, "service")
                        + (port.isEmpty() ? "" : ":" + port),
                connections,
                number(now, "activeFlows"),
                TopTable.text(now, "state"),
                seconds > 0 ? Math.max(0, more) / seconds : 0);
    }

    private static String shown(OptionalLong count) {
        return count.isPresent() ? Long.toString(count.getAsLong()) : NONE;
    }

    private static OptionalLong number(Map<String, Tree> of, String name) {
        return of.containsKey(name) ? OptionalLong.of(TopTable.number(of, name)) : OptionalLong.empty();
    }

    private static Map<String, Map<String, Tree>> endpoints(Tree.Mapping answer) {
        Map<String, Map<String, Tree>> endpoints = new LinkedHashMap<>();
        if (answer.entries().get("endpoints") instanceof Tree.Sequence(List<Tree> items, int ignored)) {
            for (Tree item : items) {
                if (item instanceof Tree.Mapping(Map<String, Tree> endpoint, int line, Map<String, Integer> keys)) {
                    String name = TopTable.text(endpoint, "namespace") + "/" + TopTable.text(endpoint, "service") + ":"
                            + TopTable.text(endpoint, "port") + " " + TopTable.text(endpoint, "protocol") + " "
                            + TopTable.text(endpoint, "endpoint");
                    endpoints.put(name, endpoint);
                }
            }
        }
        return endpoints;
    }
}
