package io.dualstackd.pages.ui.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.ui.io.UiPages.UiFile;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UiPagesTest {
    private final UiPages pages = new UiPages(
            AdminSources.of(() -> {
                throw new IllegalStateException("no question here needs the status");
            }),
            List.of(meter()),
            InstantSource.fixed(Instant.ofEpochSecond(1_000)),
            Map.of("index.html", new UiFile("text/html", "the page"), "app.js", new UiFile("text/javascript", "code")));

    /** Of a family with a change 5 s ago that took 3 ms. */
    private static FamilyMeter meter() {
        FamilyMeter meter = new FamilyMeter(IpFamily.IPV6, Instant.EPOCH, () -> ChangeMetadata.Counts.NONE);
        meter.queued(Instant.ofEpochSecond(995), 1_000_000);
        meter.taken();
        meter.inForce(Instant.ofEpochSecond(995), 4_000_000);
        return meter;
    }

    @Test
    void latenciesOfTheLastHour() {
        assertThat(pages.answer(request("GET", "/ui/api/latencies", "", "127.0.0.1"))
                        .body()
                        .replaceAll("\\s+", ""))
                .isEqualTo("{\"atMillis\":1000000,\"families\":[{\"family\":\"IPv6\",\"slots\":"
                        + "[{\"atMillis\":990000,\"changes\":1,\"shortestMs\":3.0,\"longestMs\":3.0}]}]}");
    }

    private static HttpRequest request(String method, String path, String query, String host) {
        return new HttpRequest(method, path, query, "", host);
    }

    private int status(String method, String path, String query, String host) {
        return pages.answer(request(method, path, query, host)).status();
    }

    @ParameterizedTest
    @CsvSource({
        "/ui/, 200",
        "/ui/app.js, 200",
        "/ui/index.html, 404",
        "/ui/other.js, 404",
        "/ui/app.js/more, 404",
        "/ui/api/secrets, 404",
        "/ui, 302",
        "/, 302",
        "/etc/passwd, 404",
    })
    void paths(String path, int expected) {
        assertThat(status("GET", path, "", "127.0.0.1:10246")).isEqualTo(expected);
    }

    /** A page of another site may have its name resolve to this host; its requests then have that name. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:10246, 200",
        "127.0.0.1, 200",
        "localhost:10246, 200",
        "LOCALHOST, 200",
        "[::1]:10246, 200",
        "[fe80::1], 200",
        "'', 200",
        "evil.example:10246, 403",
        "127.0.0.1.evil.example, 403",
        "localhost.evil.example, 403",
        "[::1].evil.example, 403",
    })
    void namesOfOtherSitesAreRefused(String host, int expected) {
        assertThat(status("GET", "/ui/", "", host)).isEqualTo(expected);
    }

    @Test
    void nothingCanBeChanged() {
        assertThat(status("POST", "/ui/api/status", "", "localhost")).isEqualTo(405);
        assertThat(status("DELETE", "/ui/", "", "localhost")).isEqualTo(405);
        assertThat(status("GET", "/ui/api/events", "from=now&service=x%0Adelete", "localhost"))
                .isEqualTo(400);
    }

    @Test
    void valuesThatAreMissingOrWrongAreNamed() {
        assertThat(pages.answer(request("GET", "/ui/api/explain", "destination=10.0.0.1:80", "localhost"))
                        .status())
                .isEqualTo(400);
        HttpAnswer events = pages.answer(request("GET", "/ui/api/events", "from=yesterday", "localhost"));
        assertThat(events.status()).isEqualTo(400);
        assertThat(events.body()).contains("yesterday");
        assertThat(status("GET", "/ui/api/services", "", "localhost")).isEqualTo(503);
    }

    @Test
    void everyAnswerHasThePolicy() {
        for (String path : new String[] {"/ui/", "/ui/api/events", "/nowhere"}) {
            assertThat(pages.answer(request("GET", path, "", "localhost")).headers())
                    .containsEntry("X-Content-Type-Options", "nosniff")
                    .extractingByKey("Content-Security-Policy")
                    .asString()
                    .startsWith("default-src 'none';")
                    .doesNotContain("unsafe", "*");
        }
    }
}
