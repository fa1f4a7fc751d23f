package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangeCoalescer;
import io.dualstackd.dataplane.watch.ExternalChange;
import java.util.Optional;

/**
 * External changes that a reconciler has not looked at yet. They are united, so that a program that changes rules in a loop while the
 * reconciler waits does not fill the memory. Thread-safe.
 */
final class ExternalChanges {
    private final ChangeCoalescer changes = new ChangeCoalescer();
    private ChangeAuthor author = ChangeAuthor.UNKNOWN;

    synchronized void add(ExternalChange change) {
        change.changes().forEach(changes::add);
        author = change.changeAuthor();
    }

    synchronized boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Removes and returns all of them, with the author of the last one; empty when there are none. */
    synchronized Optional<ExternalChange> take() {
        return changes.isEmpty() ? Optional.empty() : Optional.of(new ExternalChange(changes.take(), author));
    }
}
