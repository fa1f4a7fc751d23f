package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lines are logged about an outage: one when it begins, one when it is over. */
final class OutageTest {
    private static final ResourceFailure AWAY = new ResourceFailure(false, "connection refused", "");
    private static final ResourceFailure DENIED = new ResourceFailure(true, "403", "");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Outage outage = new Outage();

    @Test
    void oneBrokenConnectionIsNotWorthALine() {
        assertThat(outage.failed(Resource.services(), AWAY, 1, true, NOON)).isEmpty();
        assertThat(outage.since()).contains(NOON);
        assertThat(outage.worst()).isEmpty();
        assertThat(outage.works(Resource.services(), NOON.plusSeconds(1))).isEmpty();
        assertThat(outage.since()).isEmpty();
    }

    @Test
    void hoursAreTwoLines() {
        assertThat(outage.failed(Resource.services(), AWAY, 1, true, NOON)).isEmpty();
        assertThat(outage.failed(Resource.slices(), AWAY, 1, true, NOON)).isEmpty();
        assertThat(outage.failed(Resource.services(), AWAY, 2, true, NOON.plusSeconds(1)))
                .containsExactly(new Outage.Line.Begun(AWAY));
        for (int i = 2; i < 500; i++) {
            assertThat(outage.failed(Resource.slices(), AWAY, i, true, NOON.plusSeconds(30L * i)))
                    .isEmpty();
        }
        assertThat(outage.worst()).contains(AWAY);
        assertThat(outage.works(Resource.services(), NOON.plusSeconds(7000))).isEmpty();
        assertThat(outage.works(Resource.slices(), NOON.plusSeconds(7200)))
                .isEqualTo(List.of(new Outage.Line.Over(Duration.ofHours(2))));
        assertThat(outage.works(Resource.slices(), NOON.plusSeconds(7300))).isEmpty();
        assertThat(outage.over()).contains(NOON.plusSeconds(7200));
    }

    @Test
    void atTheStartTheFirstFailureIsWorthALine() {
        assertThat(outage.failed(Resource.services(), AWAY, 1, false, NOON)).hasSize(1);
    }

    @Test
    void refusalIsLoggedOncePerResource() {
        ResourceFailure other = new ResourceFailure(true, "403 slices", "");
        assertThat(outage.failed(Resource.services(), DENIED, 1, false, NOON)).hasSize(1);
        assertThat(outage.failed(Resource.services(), DENIED, 2, false, NOON)).isEmpty();
        assertThat(outage.failed(Resource.slices(), other, 1, false, NOON)).hasSize(1);
    }

    @Test
    void theSameRefusalOfAllResourcesIsOneLine() {
        ResourceFailure unknown = new ResourceFailure(true, "the server does not accept these credentials (401)", "");
        assertThat(outage.failed(Resource.services(), unknown, 2, true, NOON)).hasSize(1);
        assertThat(outage.failed(Resource.slices(), unknown, 2, true, NOON)).isEmpty();
        assertThat(outage.failed(Resource.services(), unknown, 3, true, NOON)).isEmpty();
        assertThat(outage.failed(Resource.services(), DENIED, 4, true, NOON)).hasSize(1);
        assertThat(outage.works(Resource.slices(), NOON.plusSeconds(1))).isEmpty();
        assertThat(outage.works(Resource.services(), NOON.plusSeconds(2))).hasSize(1);
    }

    /** An outage of hours may begin with a lost route and end with a certificate: the log in between shows the present cause. */
    @Test
    void logsAnotherCauseAndShowsTheLatest() {
        ResourceFailure expired = new ResourceFailure(false, "its certificate is not accepted", "");
        outage.failed(Resource.services(), AWAY, 2, true, NOON);
        outage.failed(Resource.slices(), AWAY, 2, true, NOON);
        assertThat(outage.failed(Resource.slices(), expired, 3, true, NOON.plusSeconds(60)))
                .containsExactly(new Outage.Line.Begun(expired));
        assertThat(outage.worst()).contains(expired);
        assertThat(outage.failed(Resource.services(), expired, 4, true, NOON.plusSeconds(70)))
                .isEmpty();
        assertThat(outage.worst()).contains(expired);
        assertThat(outage.since()).contains(NOON);
    }

    @Test
    void alternatingCausesAreNotLoggedEachTime() {
        ResourceFailure refused = new ResourceFailure(false, "hung up", "");
        int lines = 0;
        for (int i = 0; i < 100; i++) {
            Instant when = NOON.plusSeconds(2L * i);
            lines += outage.failed(Resource.services(), i % 2 == 0 ? AWAY : refused, i + 2, true, when)
                    .size();
        }
        assertThat(lines).isEqualTo(2);
        for (int i = 0; i < 100; i++) {
            ResourceFailure other = new ResourceFailure(false, "request " + i, "");
            lines += outage.failed(Resource.services(), other, 200, true, NOON.plusSeconds(201))
                    .size();
        }
        assertThat(lines).isLessThanOrEqualTo(20);
    }
}
