package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** Receives events. Called from any thread; never blocks. */
@FunctionalInterface
public interface EventRecorder {
    /**
     * Something happened now.
     *
     * @param reason one word for programs
     * @param message for people; the same event happens again only if the message is the same
     */
    void record(ObjectKey about, Event.Type type, String reason, String message);
}
