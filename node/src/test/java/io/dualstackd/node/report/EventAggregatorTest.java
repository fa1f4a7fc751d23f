package io.dualstackd.node.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.client.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events, and what becomes of those that happen again. */
final class EventAggregatorTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05.678901234Z");

    private final EventAggregator book = new EventAggregator("kube-proxy", "kube-proxy-n1");

    @Test
    void aNewOneIsCreated() {
        assertThat(book.happened(ClusterEvent.starting("n1"), START)
                        .orElseThrow()
                        .writeRequest())
                .isEqualTo(new WriteRequest(
                        "POST",
                        "/apis/events.k8s.io/v1/namespaces/default/events",
                        "application/json",
                        "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\","
                                + "\"metadata\":{\"name\":\"n1."
                                + Long.toHexString(START.getEpochSecond() * 1_000_000_000L + START.getNano())
                                + "\",\"namespace\":\"default\"},"
                                + "\"eventTime\":\"2026-01-02T03:04:05.678901Z\",\"reportingController\":\"kube-proxy\","
                                + "\"reportingInstance\":\"kube-proxy-n1\",\"action\":\"StartKubeProxy\",\"reason\":\"Starting\","
                                + "\"regarding\":{\"kind\":\"Node\",\"name\":\"n1\",\"uid\":\"n1\",\"apiVersion\":\"v1\"},"
                                + "\"note\":\"\",\"type\":\"Normal\"}"));
    }

    /** One byte more, and the server answers 422: the note is measured in UTF-8, the instance and the name have limits, too. */
    @Test
    void nothingIsLongerThanTheServerTakesIt() {
        String node = "n".repeat(62) + ".";
        String longest = node.repeat(4) + "x";
        EventAggregator ofLongNode = new EventAggregator("kube-proxy", "kube-proxy-" + longest);
        for (String letter : List.of("a", "ü", "€", "😀")) {
            String body = ofLongNode
                    .happened(ClusterEvent.noMetricsServer(longest, letter.repeat(2000)), START)
                    .orElseThrow()
                    .writeRequest()
                    .body();
            assertThat(bytes(text(body, "note"))).isBetween(1024 - 3, 1024);
            assertThat(text(body, "note")).endsWith(letter + "…");
            assertThat(text(body, "reportingInstance")).hasSize(128);
            assertThat(text(body, "name")).hasSizeLessThanOrEqualTo(253).matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
            assertThat(text(body, "name")).doesNotContain("..", "-.");
        }
        assertThat(ClusterEvent.noMetricsServer("n1", "é".repeat(512)).note())
                .as("just short enough")
                .isEqualTo("é".repeat(512));
    }

    private static String text(String body, String field) {
        return body.replaceAll("^.*?\"" + field + "\":\"([^\"]*)\".*$", "$1");
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void aServiceHasItsEventsInItsNamespace() {
        ClusterEvent clusterEvent = ClusterEvent.noHealthCheckPort("n1", "shop", "web", 30_001, "in use");
        WriteRequest writeRequest =
                book.happened(clusterEvent, START).orElseThrow().writeRequest();
        assertThat(writeRequest.path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/shop/events");
        assertThat(writeRequest.body())
                .contains(
                        "\"type\":\"Warning\"",
                        "\"reason\":\"FailedToStartServiceHealthcheck\"",
                        "\"action\":\"Listen\"")
                .contains("node n1 failed to start healthcheck \\\"shop/web\\\" on port 30001: in use");
    }

    @Test
    void repeatedEventsFormASeries() {
        ClusterEvent clusterEvent = ClusterEvent.noMetricsServer("n1", "in use");
        String created =
                book.happened(clusterEvent, START).orElseThrow().writeRequest().path();

        WriteRequest second =
                book.happened(clusterEvent, START.plusSeconds(1)).orElseThrow().writeRequest();
        assertThat(second.method()).isEqualTo("PATCH");
        assertThat(second.body())
                .isEqualTo("{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-01-02T03:04:06.678901Z\"}}");
        assertThat(second.path()).startsWith(created + "/n1.");

        for (int i = 2; i < 10; i++) {
            assertThat(book.happened(clusterEvent, START.plusSeconds(i))).isEmpty();
        }
        assertThat(book.due(START.plusSeconds(20))).isEmpty();
        assertThat(bodies(START.plusSeconds(31)))
                .containsExactly("{\"series\":{\"count\":10,\"lastObservedTime\":\"2026-01-02T03:04:14.678901Z\"}}");
        assertThat(bodies(START.plusSeconds(62))).isEmpty();
    }

    private List<String> bodies(Instant now) {
        return book.due(now).stream()
                .map(sending -> sending.writeRequest().body())
                .toList();
    }

    @Test
    void expiredOrLostEventStartsAgain() {
        ClusterEvent clusterEvent = ClusterEvent.starting("n1");
        book.happened(clusterEvent, START);
        book.happened(clusterEvent, START.plusSeconds(1));
        book.happened(clusterEvent, START.plusSeconds(2));
        Instant later = START.plusSeconds(3).plus(EventAggregator.FORGOTTEN);
        assertThat(bodies(later)).as("the last count is told").hasSize(1);
        assertThat(book.happened(clusterEvent, later)
                        .orElseThrow()
                        .writeRequest()
                        .method())
                .isEqualTo("POST");
        book.lost(clusterEvent);
        assertThat(book.happened(clusterEvent, later)
                        .orElseThrow()
                        .writeRequest()
                        .method())
                .isEqualTo("POST");
    }

    @Test
    void oneObjectCausesNoMoreThanATrickle() {
        int sent = 0;
        for (int i = 0; i < 100; i++) {
            ClusterEvent clusterEvent = ClusterEvent.noMetricsServer("n1", "try " + i);
            sent += book.happened(clusterEvent, START).isPresent() ? 1 : 0;
        }
        assertThat(sent).isEqualTo(EventAggregator.BURST);
        assertThat(book.suppressed()).isEqualTo(75);
        assertThat(book.happened(ClusterEvent.noMetricsServer("n2", "x"), START))
                .as("another object")
                .isPresent();
        assertThat(book.happened(ClusterEvent.noMetricsServer("n1", "y"), START.plus(EventAggregator.REFILL)))
                .isPresent();
        assertThat(book.happened(ClusterEvent.noMetricsServer("n1", "z"), START.plus(EventAggregator.REFILL)))
                .isEmpty();
    }

    @Test
    void eventsGoOnWhenTheClockIsSetBack() {
        ClusterEvent repeated = ClusterEvent.starting("n1");
        book.happened(repeated, START);
        book.happened(repeated, START);
        Instant back = START.minus(Duration.ofDays(1));
        book.happened(repeated, back);
        assertThat(book.happened(ClusterEvent.noMetricsServer("n1", "x"), back)).isPresent();
        assertThat(bodies(back.plus(EventAggregator.COUNTED)))
                .containsExactly("{\"series\":{\"count\":3,\"lastObservedTime\":\"2026-01-01T03:04:05.678901Z\"}}");
        assertThat(book.happened(repeated, back.plus(EventAggregator.FORGOTTEN))
                        .orElseThrow()
                        .writeRequest()
                        .method())
                .isEqualTo("POST");
    }

    @Test
    void aNoteIsNoLongerThanTheApiAllows() {
        assertThat(bytes(ClusterEvent.noMetricsServer("n1", "x".repeat(5_000)).note()))
                .isEqualTo(1_024);
    }

    @Test
    void conflictingWritesStopSoon() {
        WriteGuard guard = new WriteGuard();
        assertThat(List.of(check(guard, 0), check(guard, 1), check(guard, 2), check(guard, 3), check(guard, 4)))
                .containsExactly(true, true, true, false, false);
        assertThat(guard.mayWrite("other", START)).isTrue();
        assertThat(guard.mayWrite("what", START.plus(Duration.ofHours(1)))).isTrue();
    }

    private static boolean check(WriteGuard guard, int minute) {
        boolean may = guard.mayWrite("what", START.plus(Duration.ofMinutes(minute)));
        if (may) {
            guard.wrote("what", START.plus(Duration.ofMinutes(minute)));
        }
        return may;
    }
}
