package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events of the last hour, as an API server keeps them: a repeated event only increases its count. */
final class EventLog {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int MOST = 1_000;

    private record EventKey(ObjectKey about, Event.Type type, String reason, String message) {}

    private final Undo undo;
    /** The newest last. */
    private final Map<EventKey, Event> events = new LinkedHashMap<>();

    EventLog(Undo undo) {
        this.undo = undo;
    }

    /** Adds a warning. */
    void add(ObjectKey about, String reason, String message, Instant now) {
        add(about, Event.Type.WARNING, reason, message, now);
    }

    void add(ObjectKey about, Event.Type type, String reason, String message, Instant now) {
        EventKey key = new EventKey(about, type, reason, message);
        Event before = undo.remove(events, key);
        undo.put(
                events,
                key,
                before == null
                        ? new Event(about, type, reason, message, now, now, 1)
                        : new Event(about, type, reason, message, before.first(), now, before.count() + 1));
    }

    /** Removes old events, which come first; this is not undone. */
    void trim(Instant now) {
        Instant oldest = now.minus(KEPT);
        int more = events.size() - MOST;
        Iterator<Event> all = events.values().iterator();
        while (all.hasNext()) {
            boolean old = all.next().last().isBefore(oldest);
            if (!old && more <= 0) {
                return;
            }
            all.remove();
            more--;
        }
    }

    List<Event> all() {
        return List.copyOf(events.values());
    }
}
