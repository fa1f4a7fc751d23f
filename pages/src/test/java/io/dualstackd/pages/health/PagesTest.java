package io.dualstackd.pages.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PagesTest {
    private static final List<Check> CHECKS =
            List.of(Check.PING, new Check("ipv4-rules", Optional.empty()), new Check("ipv6-rules", Optional.of("why")));

    private static final Pages PAGES = new Pages(Map.of(
            "/readyz", request -> Check.page("readyz", CHECKS, request),
            "/readyz/", request -> Check.page("readyz", CHECKS, request)));

    private static HttpRequest asked(String path, String query) {
        return new HttpRequest("GET", path, query, "", "");
    }

    private static HttpAnswer answer(String path, String query) {
        return PAGES.answer(asked(path, query));
    }

    @Test
    void unknownPaths() {
        assertThat(answer("/", "").status()).isEqualTo(404);
        assertThat(answer("/readyzz", "").status()).isEqualTo(404);
        assertThat(answer("/readyz/nobody", "").status()).isEqualTo(404);
    }

    /** HAProxy asks with OPTIONS unless it is told otherwise; kube-proxy answers it as it answers GET. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "POST"})
    void everyMethodIsAnswered(String method) {
        assertThat(PAGES.answer(new HttpRequest(method, "/readyz/ping", "", "", "")))
                .isEqualTo(HttpAnswer.text(200, "ok"));
    }

    @Test
    void reportsFailingChecks() {
        assertThat(answer("/readyz", "")).isEqualTo(HttpAnswer.text(500, """
                [+]ping ok
                [+]ipv4-rules ok
                [-]ipv6-rules failed: why
                readyz check failed
                """));
        assertThat(answer("/readyz/ipv6-rules", "").status()).isEqualTo(500);
        assertThat(answer("/readyz/ipv4-rules", "")).isEqualTo(HttpAnswer.text(200, "ok"));
    }

    @Test
    void verboseListsEveryCheck() {
        assertThat(answer("/readyz", "exclude=ipv6-rules")).isEqualTo(HttpAnswer.text(200, "ok"));
        assertThat(answer("/readyz", "verbose&exclude=ipv6-rules").body()).isEqualTo("""
                [+]ping ok
                [+]ipv4-rules ok
                [+]ipv6-rules excluded: ok
                readyz check passed
                """);
    }

    @Test
    void pagesForPeople() {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(InfoPages.statusz(start, start.plusSeconds(3_725), Map.of("Node", "n"), PAGES.paths())
                        .body())
                .contains("Started: 2026-01-01T00:00:00Z\nUp: 1 hr 02 min 05 sec\nNode: n\nPaths: /readyz\n");
        assertThat(InfoPages.flagz(new TreeMap<>(Map.of("v", "2", "bind-address", "::")))
                        .body())
                .endsWith("\nbind-address=::\nv=2\n");
    }
}
