package io.dualstackd.pages.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The vectors of kube-proxy's health endpoints. */
final class ProxyHealthTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant LATE = T0.plus(TIMEOUT);
    private static final ProxyHealth FRESH = ProxyHealth.fresh(TIMEOUT);

    /** Both families have come through once. */
    private static ProxyHealth running() {
        return FRESH.with(IpFamily.IPV4, FamilyHealth.FRESH.updated(T0))
                .with(IpFamily.IPV6, FamilyHealth.FRESH.updated(T0));
    }

    private static ProxyHealth queued(IpFamily family) {
        return running().with(family, running().family(family).queued(T0));
    }

    @Test
    void freshIsHealthyAndHasNoStatus() {
        assertThat(FRESH.healthz(T0, true).status()).isEqualTo(200);
        assertThat(FRESH.healthz(T0, true).body()).contains("\"status\": {}", "\"lastUpdated\": \"" + T0 + "\"");
        assertThat(FRESH.livez(T0).status()).isEqualTo(200);
    }

    /** kube-proxy answers 200 here for ever, and does not name the family. */
    @Test
    void aFamilyThatNeverCameThroughIsLateOnceItCouldHave() {
        ProxyHealth waiting = FRESH.with(IpFamily.IPV6, FamilyHealth.FRESH.queued(T0));
        assertThat(waiting.healthz(LATE.plusSeconds(1000), true).status()).isEqualTo(200);
        assertThat(waiting.healthz(LATE, true).body()).contains("\"status\": {}");
        ProxyHealth due = running()
                .with(IpFamily.IPV6, FamilyHealth.FRESH.due(T0).due(LATE).taken());
        assertThat(due.healthz(LATE.minusNanos(1), true).status()).isEqualTo(200);
        assertThat(due.livez(LATE).status()).isEqualTo(503);
        assertThat(due.healthz(LATE, true).status()).isEqualTo(503);
        assertThat(due.healthz(LATE, true).body())
                .contains("\"IPv6\": {\"lastUpdated\": \"0001-01-01T00:00:00Z\", \"healthy\": false}");
        ProxyHealth through = due.with(IpFamily.IPV6, due.family(IpFamily.IPV6).updated(LATE));
        assertThat(through.healthz(LATE.plusSeconds(1000), true).status()).isEqualTo(200);
    }

    @Test
    void readyIsWhoHasBeenInForceAndIsFresh() {
        FamilyHealth family = FamilyHealth.FRESH.due(T0);
        assertThat(family.isReady(T0, TIMEOUT)).isFalse();
        assertThat(family.updated(T0).isReady(LATE, TIMEOUT)).isTrue();
        assertThat(family.updated(T0).queued(T0).isReady(LATE, TIMEOUT)).isFalse();
    }

    @Test
    void aChangeMayWaitUntilTheTimeout() {
        ProxyHealth health = queued(IpFamily.IPV4);
        assertThat(health.healthz(LATE.minusNanos(1), true).status()).isEqualTo(200);
        assertThat(health.healthz(LATE, true).status()).isEqualTo(503);
        assertThat(health.livez(LATE).status()).isEqualTo(503);
        ProxyHealth updated =
                health.with(IpFamily.IPV4, health.family(IpFamily.IPV4).taken().updated(LATE));
        assertThat(updated.healthz(LATE, true).status()).isEqualTo(200);
    }

    @Test
    void theOldestChangeCounts() {
        FamilyHealth family = running().family(IpFamily.IPV4).queued(T0).queued(LATE);
        assertThat(family.isHealthy(LATE, TIMEOUT)).isFalse();
        // A pass that fails keeps what it took; the next one takes more.
        assertThat(family.taken().queued(LATE).taken().isHealthy(LATE, TIMEOUT)).isFalse();
    }

    @Test
    void changeDuringSyncStaysPending() {
        FamilyHealth family =
                running().family(IpFamily.IPV4).queued(T0).taken().queued(LATE).updated(LATE);
        assertThat(family.isHealthy(LATE, TIMEOUT)).isTrue();
        assertThat(family.isHealthy(LATE.plus(TIMEOUT), TIMEOUT)).isFalse();
    }

    @Test
    void oneLateFamilyIsEnoughAndIsNamed() {
        HttpAnswer answer = queued(IpFamily.IPV6).healthz(LATE, true);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"lastUpdated\": \"2026-01-01T00:00:00Z\", \"currentTime\": \"2026-01-01T00:01:00Z\","
                        + " \"nodeEligible\": true, \"healthy\": false, \"status\": {"
                        + "\"IPv4\": {\"lastUpdated\": \"2026-01-01T00:00:00Z\", \"healthy\": true}, "
                        + "\"IPv6\": {\"lastUpdated\": \"2026-01-01T00:00:00Z\", \"healthy\": false}}}");
    }

    @Test
    void drainingNodeIsAliveButIneligible() {
        HttpAnswer healthz = running().healthz(LATE, false);
        assertThat(healthz.status()).isEqualTo(503);
        assertThat(healthz.body())
                .contains("\"nodeEligible\": false", "\"healthy\": true", "\"lastUpdated\": \"" + T0 + "\"");
        HttpAnswer livez = running().livez(LATE);
        assertThat(livez.status()).isEqualTo(200);
        assertThat(livez.body()).doesNotContain("nodeEligible").contains("\"lastUpdated\": \"" + LATE + "\"");
        assertThat(livez.headers())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void theOldestChangeCountsUntilItIsInForce() {
        FamilyHealth before = FamilyHealth.FRESH.queued(T0);
        FamilyHealth due = before.due(T0.plusSeconds(5)).taken();
        FamilyHealth again = due.updated(T0).queued(T0.plusSeconds(1)).taken().queued(T0.plusSeconds(2));
        assertThat(FRESH.with(IpFamily.IPV4, before).with(IpFamily.IPV6, due).waits(LATE))
                .as("sources are read first")
                .containsExactly(
                        Map.entry(IpFamily.IPV4, Duration.ZERO), Map.entry(IpFamily.IPV6, TIMEOUT.minusSeconds(5)));
        assertThat(FRESH.with(IpFamily.IPV4, again)
                        .with(IpFamily.IPV6, again.updated(LATE))
                        .waits(LATE))
                .containsExactly(
                        Map.entry(IpFamily.IPV4, TIMEOUT.minusSeconds(1)),
                        Map.entry(IpFamily.IPV6, TIMEOUT.minusSeconds(2)));
        assertThat(running().waits(LATE).values()).containsOnly(Duration.ZERO);
    }

    @Test
    void neverIsTheTimeGoPrints() {
        ProxyHealth health = FRESH.with(IpFamily.IPV4, FamilyHealth.FRESH);
        assertThat(health.healthz(T0, false).body()).contains("\"lastUpdated\": \"0001-01-01T00:00:00Z\"");
        assertThat(health.family(IpFamily.IPV4).lastUpdated()).isEqualTo(Optional.empty());
    }
}
