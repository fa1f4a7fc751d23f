package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} holds a row for every metric, and no other. */
final class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    private static String table(String page) {
        return page.lines()
                .filter(line -> line.startsWith("| `") && line.matches(".*\\| (counter|gauge|histogram) \\|.*"))
                .collect(Collectors.joining("\n"));
    }

    /** When it fails: what is expected is the table to put there. */
    @Test
    void thePageIsComplete() throws IOException {
        String expected = DocumentedMetrics.all().stream()
                .sorted(Comparator.comparing(Metric::name))
                .map(DocumentedMetrics::row)
                .collect(Collectors.joining("\n"));
        assertThat(table(Files.readString(PAGE))).isEqualTo(expected);
    }

    @Test
    void namesFollowTheConventionsOfPrometheus() {
        assertThat(DocumentedMetrics.all()).extracting(Metric::name).doesNotHaveDuplicates();
        assertThat(DocumentedMetrics.all()).allSatisfy(metric -> {
            assertThat(metric.labels()).isSorted();
            if (metric.type() == Metric.Type.COUNTER) {
                assertThat(metric.name()).endsWith("_total");
            }
        });
    }

    @Test
    void helpTextsAreShortAndHaveOneForm() {
        assertThat(DocumentedMetrics.all())
                .extracting(Metric::help)
                .allSatisfy(help -> assertThat(help).matches("[A-Z0-9].{8,110}[^.]"));
    }
}
