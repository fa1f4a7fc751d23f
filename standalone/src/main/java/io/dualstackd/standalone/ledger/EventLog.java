package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events of the last hour, as an API server keeps them: a repeated event only increases its count. */
final class EventLog {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int MOST = 1_000;

    private record Said(ObjectKey about, String reason, String message) {}

    private final Undo undo;
    /** The newest last. */
    private final Map<Said, Event> events = new LinkedHashMap<>();

    EventLog(Undo undo) {
        this.undo = undo;
    }

    void add(ObjectKey about, String reason, String message, Instant now) {
        Said said = new Said(about, reason, message);
        Event before = undo.remove(events, said);
        undo.put(
                events,
                said,
                before == null
                        ? new Event(about, reason, message, now, now, 1)
                        : new Event(about, reason, message, before.first(), now, before.count() + 1));
    }

    /** Removes old events; this is not undone. */
    void trim(Instant now) {
        events.values().removeIf(event -> event.last().isBefore(now.minus(KEPT)));
        List<Said> all = new ArrayList<>(events.keySet());
        all.subList(0, Math.max(0, all.size() - MOST)).forEach(events::remove);
    }

    List<Event> all() {
        return List.copyOf(events.values());
    }
}
