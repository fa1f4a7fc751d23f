package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.admin.Health;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What we give operators asks for nothing that we do not tell. */
@Tag("kernel")
final class DeployedQueriesTest {
    private static final Path RULES = Path.of("../deploy/prometheus/rules.yaml");
    private static final Path DASHBOARD = Path.of("../deploy/grafana/dualstackd.json");

    private static final Pattern TEXT = Pattern.compile("\"(\\\\.|[^\"])*\"");
    private static final Pattern SELECTOR = Pattern.compile("\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)");
    private static final Pattern GROUPING = Pattern.compile("\\b(by|on|without|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_:][\\w:]*(?!\\w*\\s*\\()");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");
    /** What Prometheus adds by itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance", "le", "alertname");

    private static Object load(Path file) throws IOException {
        return Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file)));
    }

    /** Every value of these keys, however deep. */
    private static Stream<String> values(Object node, Set<String> keys) {
        return switch (node) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(entry ->
                                keys.contains(String.valueOf(entry.getKey())) && entry.getValue() instanceof String text
                                        ? Stream.of(text)
                                        : entry.getValue() == null ? Stream.of() : values(entry.getValue(), keys));
            case List<?> list -> list.stream().flatMap(each -> values(each, keys));
            default -> Stream.of();
        };
    }

    private static void check(String query, Set<String> known, Set<String> labels) {
        String rest = RANGE.matcher(TEXT.matcher(query).replaceAll("\"\"")).replaceAll("");
        Set<String> asked = new TreeSet<>();
        Matcher selectors = SELECTOR.matcher(rest);
        while (selectors.find()) {
            LABEL.matcher(selectors.group(1))
                    .results()
                    .map(found -> found.group(1))
                    .forEach(asked::add);
        }
        rest = SELECTOR.matcher(rest).replaceAll("");
        Matcher groupings = GROUPING.matcher(rest);
        while (groupings.find()) {
            Arrays.stream(groupings.group(2).split(",", -1)).map(String::strip).forEach(asked::add);
        }
        rest = GROUPING.matcher(rest).replaceAll("");
        assertThat(labels).as("labels in %s", query).containsAll(asked);
        Set<String> names = new TreeSet<>();
        NAME.matcher(rest).results().map(found -> found.group()).forEach(names::add);
        names.removeAll(WORDS);
        assertThat(names).as("metrics in %s", query).isNotEmpty();
        assertThat(known).as("metrics in %s", query).containsAll(names);
    }

    private static Set<String> knownNames() {
        Set<String> known = new HashSet<>(Set.of("up", "ALERTS"));
        DocumentedMetrics.all().stream().flatMap(DocumentedMetrics::samples).forEach(known::add);
        return known;
    }

    private static Set<String> knownLabels() {
        Set<String> labels = new HashSet<>(OF_PROMETHEUS);
        DocumentedMetrics.all().forEach(metric -> labels.addAll(metric.labels()));
        return labels;
    }

    @Test
    void alertsAskForWhatThereIs() throws IOException {
        Object rules = load(RULES);
        Set<String> known = knownNames();
        values(rules, Set.of("record")).forEach(known::add);
        List<String> queries = values(rules, Set.of("expr")).toList();
        assertThat(queries).hasSizeGreaterThan(10);
        queries.forEach(query -> check(query, known, knownLabels()));
    }

    /** Some failures of DNS have no metric of their own, and the general alert leaves DNS out. */
    @Test
    void everyDnsFailureRaisesItsAlert() throws IOException {
        List<String> queries = values(load(RULES), Set.of("expr")).toList();
        assertThat(queries)
                .filteredOn(query -> query.startsWith("dualstackd_degraded{reason!~"))
                .singleElement()
                .asString()
                .contains("|dns|");
        assertThat(queries).contains("dualstackd_degraded{reason=\"" + Health.Kind.DNS + "\"} == 1");
    }

    /** KEP-563 asks operators to compare the endpoints of both families. */
    @Test
    void servicesWithoutEndpointsOfOneFamilyRaiseAnAlert() throws IOException {
        assertThat(values(load(RULES), Set.of("expr"))).contains("dualstackd_services_one_sided > 0");
    }

    @Test
    void panelsAskForWhatThereIs() throws IOException {
        Object dashboard = load(DASHBOARD);
        List<String> queries = values(dashboard, Set.of("expr")).toList();
        assertThat(queries).hasSizeGreaterThan(30);
        queries.forEach(query -> check(query, knownNames(), knownLabels()));
        assertThat(values(dashboard, Set.of("definition")))
                .allSatisfy(variable -> assertThat(variable).startsWith("label_values(dualstackd_build_info"));
    }

    @Test
    void detectsMissingMetric() {
        Set<String> known = Set.of("a_total");
        Set<String> labels = Set.of("x");
        check("sum by (x) (rate(a_total{x=\"b_total\"}[5m])) > 0", known, labels);
        for (String wrong : List.of("rate(b_total[5m])", "a_total{y=\"1\"}", "sum by (y) (a_total)", "1 > 0")) {
            assertThatThrownBy(() -> check(wrong, known, labels)).as(wrong).isInstanceOf(AssertionError.class);
        }
    }

    /** Prometheus' own tool has the last word where it is installed; it runs the alerts on made-up histories. */
    @Test
    void promtoolAgreesWhereItIs() throws Exception {
        boolean there = Stream.of("/usr/bin/promtool", "/usr/local/bin/promtool")
                .map(Path::of)
                .anyMatch(Files::isExecutable);
        if (there) {
            Path tests =
                    RULES.resolveSibling("rules-test.yaml").toAbsolutePath().normalize();
            try (NetNs here = NetNs.current()) {
                assertThat(new NetNsCommands(here).run("promtool", "test", "rules", tests.toString()))
                        .contains("SUCCESS");
            }
        }
        assertThat(RULES.resolveSibling("rules-test.yaml")).isNotEmptyFile();
    }
}
