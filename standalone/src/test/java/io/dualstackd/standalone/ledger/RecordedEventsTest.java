package io.dualstackd.standalone.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RecordedEventsTest {
    private static final ObjectKey WEB = new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web");

    private Instant now = Instant.parse("2026-11-01T00:00:00Z");
    private final RecordedEvents events = new RecordedEvents(() -> now);

    private void record(String message) {
        events.record(WEB, Event.Type.WARNING, "NoEndpoints", message);
    }

    @Test
    void aRepeatedEventIsCountedAndMovesToTheEnd() {
        Instant first = now;
        record("a");
        record("b");
        now = now.plusSeconds(5);
        record("a");
        assertThat(events.all())
                .containsExactly(
                        new Event(WEB, Event.Type.WARNING, "NoEndpoints", "b", first, first, 1),
                        new Event(WEB, Event.Type.WARNING, "NoEndpoints", "a", first, now, 2));
        events.record(WEB, Event.Type.NORMAL, "NoEndpoints", "a");
        assertThat(events.all()).hasSize(3);
    }

    @Test
    void aThousandAreKeptForAnHour() {
        for (int i = 0; i < 1500; i++) {
            record("m" + i);
        }
        assertThat(events.all()).hasSize(1000);
        assertThat(events.all().getFirst().message()).isEqualTo("m500");
        now = now.plus(Duration.ofMinutes(59));
        record("m1499");
        assertThat(events.all()).hasSize(1000);
        now = now.plus(Duration.ofMinutes(2));
        assertThat(events.all()).extracting(Event::message).containsExactly("m1499");
    }

    @Test
    void aLongMessageIsCut() {
        record("x".repeat(5000));
        assertThat(events.all().getFirst().message()).hasSize(1024).endsWith("x…");
    }
}
