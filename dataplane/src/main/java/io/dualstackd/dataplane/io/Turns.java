package io.dualstackd.dataplane.io;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Whose turn it is with the rule set of a namespace. The kernel counts generations of all of it, so a line that reads everything starts again
 * whenever the other one commits, and with some changes a second would never be done. So whoever must read may ask to be alone. Politeness, not
 * exclusion: nobody waits for ever, because the other's trouble must not become one's own. For any thread.
 */
public final class Turns {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Fair, so that a reader gets its turn among many short changes. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

    private final Duration patience;

    /** Something done in one's turn. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    public Turns() {
        this(PATIENCE);
    }

    /** @param patience how long to wait for one's turn before going on without */
    Turns(Duration patience) {
        this.patience = patience;
    }

    /** Does what makes a new generation: beside others that do, but not while somebody reads. */
    public <T, E extends Exception> T changing(Work<T, E> work) throws E {
        return in(lock.readLock(), work);
    }

    /** Does what needs the rule set to stay as it is. */
    public <T, E extends Exception> T alone(Work<T, E> work) throws E {
        return in(lock.writeLock(), work);
    }

    private <T, E extends Exception> T in(Lock turn, Work<T, E> work) throws E {
        boolean mine = taken(turn);
        try {
            return work.run();
        } finally {
            if (mine) {
                turn.unlock();
            }
        }
    }

    private boolean taken(Lock turn) {
        try {
            return turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Whoever is to end does so after this.
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
