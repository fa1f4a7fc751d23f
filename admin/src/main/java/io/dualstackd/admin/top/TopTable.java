package io.dualstackd.admin.top;

import io.dualstackd.kubeapi.print.Age;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two answers of {@code top} as a table for people: rates between them, and totals. Pure.
 *
 * @param byFrontend a line for each frontend; else one for each Service
 */
public record TopTable(boolean byFrontend) {
    private static final String NONE = "-";

    /** One answer: when it was made, and its lines by name. */
    private record Sample(long atMillis, Map<String, Line> lines) {}

    /** The counts of a Service or a frontend. */
    private static final class Line {
        private final Map<String, Long> connections = new HashMap<>();
        private final Map<String, Long> endpoints = new HashMap<>();
        private long refused;
        private long dropped;
        private OptionalLong active = OptionalLong.empty();
        private long changed;
        private String state = "ok";

        void add(Map<String, Tree> frontend) {
            String family = text(frontend, "family");
            connections.merge(family, number(frontend, "connections"), Long::sum);
            endpoints.merge(family, number(frontend, "endpoints"), Math::max);
            refused += number(frontend, "refused");
            dropped += number(frontend, "dropped");
            if (frontend.containsKey("activeFlows")) {
                active = OptionalLong.of(active.orElse(0) + number(frontend, "activeFlows"));
            }
            changed = Math.max(changed, number(frontend, "lastChangeMillis"));
            if (state.equals("ok")) {
                state = text(frontend, "state");
            }
        }

        long all() {
            return connections.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * The table.
     *
     * @param before the answer before; empty for the first one, which has no rates
     * @param lines at most so many Services or frontends; the busiest first
     */
    public String of(Optional<Tree.Mapping> before, Tree.Mapping now, int lines) {
        Sample sample = sample(now);
        Optional<Sample> past = before.map(this::sample);
        double seconds =
                past.map(then -> (sample.atMillis - then.atMillis) / 1000.0).orElse(0.0);
        List<Rated> rated = new ArrayList<>();
        sample.lines.forEach((name, line) -> rated.add(new Rated(
                name,
                line,
                past.map(then -> then.lines.getOrDefault(name, line)).orElse(line),
                seconds,
                sample.atMillis)));
        rated.sort(Comparator.comparingDouble(Rated::rate)
                .reversed()
                .thenComparing(
                        Comparator.<Rated>comparingLong(each -> each.now.all()).reversed())
                .thenComparing(Rated::name));
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(
                byFrontend ? "FRONTEND" : "SERVICE",
                "IPV4/S",
                "IPV6/S",
                "REFUSED/S",
                "DROPPED/S",
                "IPV4",
                "IPV6",
                "REFUSED",
                "DROPPED",
                "ACTIVE",
                "ENDPOINTS",
                "CHANGED",
                "STATE"));
        rated.stream().limit(lines).forEach(each -> table.add(each.columns()));
        int more = rated.size() - lines;
        String what = byFrontend ? "frontends" : "Services";
        return (seconds > 0 ? rates(rated, what) : "")
                + TextTable.print(table)
                + (more > 0 ? "… and " + more + " more\n" : "")
                + notes(now);
    }

    /** The counters that could not be read, if any. */
    static String notes(Tree.Mapping answer) {
        return Stream.of("flowsNotListed", "notCounted")
                .map(name -> text(answer.entries(), name))
                .filter(why -> !why.isEmpty())
                .map(why -> why + "\n")
                .collect(Collectors.joining());
    }

    private static String rates(List<Rated> rated, String what) {
        return String.format(
                Locale.ROOT,
                "%d %s: %.1f connections/s, %.1f refused/s, %.1f dropped/s%n%n",
                rated.size(),
                what,
                rated.stream().mapToDouble(Rated::rate).sum(),
                rated.stream().mapToDouble(Rated::refusedRate).sum(),
                rated.stream().mapToDouble(Rated::droppedRate).sum());
    }

    /** A line now and before. */
    private record Rated(String name, Line now, Line before, double seconds, long atMillis) {
        double rate() {
            return per(now.all() - before.all());
        }

        double refusedRate() {
            return per(now.refused - before.refused);
        }

        double droppedRate() {
            return per(now.dropped - before.dropped);
        }

        /** Counts that became smaller began anew. */
        private double per(long more) {
            return seconds <= 0 ? 0 : Math.max(0, more) / seconds;
        }

        private String perSecond(String family) {
            Long count = now.connections.get(family);
            return count == null ? NONE : shown(per(count - before.connections.getOrDefault(family, 0L)));
        }

        private String shown(double rate) {
            return seconds <= 0 ? NONE : String.format(Locale.ROOT, "%.1f", rate);
        }

        List<String> columns() {
            return List.of(
                    name,
                    perSecond("IPv4"),
                    perSecond("IPv6"),
                    shown(refusedRate()),
                    shown(droppedRate()),
                    count(now.connections, "IPv4"),
                    count(now.connections, "IPv6"),
                    Long.toString(now.refused),
                    Long.toString(now.dropped),
                    now.active.isPresent() ? Long.toString(now.active.getAsLong()) : NONE,
                    count(now.endpoints, "IPv4") + "/" + count(now.endpoints, "IPv6"),
                    now.changed == 0
                            ? NONE
                            : Age.between(Instant.ofEpochMilli(now.changed), Instant.ofEpochMilli(atMillis)),
                    now.state);
        }

        private static String count(Map<String, Long> of, String family) {
            Long count = of.get(family);
            return count == null ? NONE : Long.toString(count);
        }
    }

    private Sample sample(Tree.Mapping answer) {
        Map<String, Line> lines = new LinkedHashMap<>();
        if (answer.entries().get("frontends") instanceof Tree.Sequence(List<Tree> items, int ignored)) {
            for (Tree item : items) {
                if (item instanceof Tree.Mapping frontend) {
                    lines.computeIfAbsent(name(frontend.entries()), key -> new Line())
                            .add(frontend.entries());
                }
            }
        }
        return new Sample(number(answer.entries(), "atMillis"), lines);
    }

    private String name(Map<String, Tree> frontend) {
        String service = text(frontend, "namespace") + "/" + text(frontend, "service");
        return byFrontend ? service + " " + text(frontend, "frontend") + " " + text(frontend, "type") : service;
    }

    static String text(Map<String, Tree> of, String name) {
        return of.get(name) instanceof Tree.Scalar scalar ? scalar.text() : "";
    }

    static long number(Map<String, Tree> of, String name) {
        String text = text(of, name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
