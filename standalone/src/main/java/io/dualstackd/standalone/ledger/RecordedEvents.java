package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.InstantSource;
import java.util.List;

/** The events of this daemon where no API server keeps them: those of the last hour, and at most a thousand. Thread-safe. */
public final class RecordedEvents implements EventRecorder {
    private static final int LONGEST_MESSAGE = 1024;

    private final InstantSource clock;
    private final Undo undo = new Undo();
    private final EventLog events = new EventLog(undo);

    public RecordedEvents(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized void record(ObjectKey about, Event.Type type, String reason, String message) {
        String shown = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 1) + "…";
        events.add(about, type, reason, shown, clock.instant());
        undo.forget();
        events.trim(clock.instant());
    }

    /** The newest last. */
    public synchronized List<Event> all() {
        events.trim(clock.instant());
        return events.all();
    }
}
