package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.Reports;
import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.health.Check;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric as our pages tell of it.
 *
 * @param name as in the text format
 * @param labels without those of buckets
 * @param pages {@code iptables}, {@code nftables}: modes whose {@code /metrics} has it; {@code slis}
 */
record Told(String name, String type, Set<String> labels, String meaning, Set<String> pages) {
    private static final Pattern HELP = Pattern.compile("# HELP (\\S+) (.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    /** Every metric there is, with whatever can be followed being followed, by name. */
    static Map<String, Told> all() {
        Map<String, Told> all = new TreeMap<>();
        read("iptables", text(Reports.failing()), all);
        read("nftables", text(Reports.nftables()), all);
        SliMetrics slis = new SliMetrics();
        slis.note("readyz", List.of(new Check("ping", Optional.empty())));
        read("slis", slis.text(Exposition.PROMETHEUS_TEXT), all);
        return all;
    }

    private static String text(StatusReport report) {
        return Metrics.text(
                Reports.ofCluster(report, Duration.ofSeconds(3)), Figures.some(), Exposition.PROMETHEUS_TEXT);
    }

    private static void read(String page, String text, Map<String, Told> into) {
        Map<String, String> types = new TreeMap<>();
        Map<String, String> meanings = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String line : text.lines().toList()) {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (help.matches()) {
                meanings.put(help.group(1), help.group(2));
            } else if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (sample.matches()) {
                String metric = types.containsKey(sample.group(1))
                        ? sample.group(1)
                        : sample.group(1).replaceFirst("_(bucket|count|sum)$", "");
                Set<String> names = labels.computeIfAbsent(metric, key -> new TreeSet<>());
                LABEL.matcher(Optional.ofNullable(sample.group(2)).orElse(""))
                        .results()
                        .map(found -> found.group(1))
                        .filter(label -> !label.equals("le"))
                        .forEach(names::add);
            }
        }
        types.forEach((name, type) -> {
            Told before = into.get(name);
            Set<String> pages = new TreeSet<>(before == null ? Set.of() : before.pages);
            pages.add(page);
            Set<String> all = new TreeSet<>(before == null ? Set.of() : before.labels);
            all.addAll(labels.getOrDefault(name, Set.of()));
            into.put(name, new Told(name, type, all, meanings.getOrDefault(name, ""), pages));
        });
    }

    /** The names of samples: what queries may ask for. */
    List<String> samples() {
        if (!type.equals("histogram")) {
            return List.of(name);
        }
        List<String> names = new ArrayList<>();
        for (String suffix : List.of("_bucket", "_count", "_sum")) {
            names.add(name + suffix);
        }
        return names;
    }

    /** Who defined the name. */
    String origin() {
        return name.startsWith("kubeproxy_")
                ? "kube-proxy"
                : name.startsWith("kube_apiserver_")
                        ? "API server"
                        : name.startsWith("kubernetes_")
                                ? "Kubernetes"
                                : name.startsWith("rest_client_")
                                        ? "client-go"
                                        : name.startsWith("dualstackd_") ? "ours" : "Prometheus";
    }

    /** A row of the page about metrics. */
    String row() {
        String modes = pages.equals(Set.of("iptables"))
                        && !name.contains("iptables") // what needs a pod runtime or a ledger is tried in one mode
                ? "all"
                : pages.equals(Set.of("slis"))
                        ? "`/metrics/slis`"
                        : pages.size() == 2 ? "all" : pages.iterator().next();
        String names = labels.isEmpty() ? "–" : String.join(", ", labels);
        return "| `" + name + "` | " + type + " | " + names + " | " + modes + " | " + origin() + " | " + meaning + " |";
    }
}
