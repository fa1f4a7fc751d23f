package io.dualstackd.dataplane.io;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Whose turn it is with the rule set of a namespace. The kernel counts generations of all of it, so a line that reads everything starts again
 * whenever the other one commits, and with some changes a second would never be done. So some read, or some change. Politeness, not
 * exclusion: nobody waits for ever, because the other's trouble must not become one's own. For any thread.
 */
public final class RuleSetGate {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turned = lock.newCondition();
    private final Duration patience;
    private int reading;
    private int changing;
    /** Who wants to read comes first, or would never be first among many short changes. */
    private int waitingToRead;

    /** Something done in one's turn. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    public RuleSetGate() {
        this(PATIENCE);
    }

    /** @param patience how long to wait for one's turn before going on without */
    RuleSetGate(Duration patience) {
        this.patience = patience;
    }

    /** Does what makes a new generation: beside others that do, but not while somebody reads. */
    public <T, E extends Exception> T changing(Work<T, E> work) throws E {
        lock.lock();
        try {
            await(() -> reading == 0 && waitingToRead == 0);
            changing++;
        } finally {
            lock.unlock();
        }
        try {
            return work.run();
        } finally {
            lock.lock();
            try {
                changing--;
                turned.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Does what needs the rule set to stay as it is: beside others that do, but not while somebody changes it. */
    public <T, E extends Exception> T reading(Work<T, E> work) throws E {
        lock.lock();
        waitingToRead++;
        try {
            await(() -> changing == 0);
            reading++;
        } finally {
            waitingToRead--;
            lock.unlock();
        }
        try {
            return work.run();
        } finally {
            lock.lock();
            try {
                reading--;
                turned.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void await(BooleanSupplier turn) {
        long left = patience.toNanos();
        try {
            while (!turn.getAsBoolean() && left > 0) {
                left = turned.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Whoever is to end does so after this.
            Thread.currentThread().interrupt();
        }
    }
}
