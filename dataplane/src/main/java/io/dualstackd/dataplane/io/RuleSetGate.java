package io.dualstackd.dataplane.io;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Coordinates reads and changes of the rule set of a namespace. The kernel counts generations of all of it, so a reconciler that reads
 * everything starts again whenever another one commits, and with some changes per second would never finish. So either reads or changes
 * run at a time. This is a courtesy, not an exclusion: the wait is bounded, so that a failure of one reconciler does not stop another
 * one. Thread-safe.
 */
public final class RuleSetGate {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turned = lock.newCondition();
    private final Duration timeout;
    private int reading;
    private int changing;
    /** Waiting readers; they go first, or would never get a turn among many short changes. */
    private int waitingToRead;

    /** Work to do in a turn. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    public RuleSetGate() {
        this(TIMEOUT);
    }

    /** @param timeout how long to wait for a turn before going on without */
    RuleSetGate(Duration timeout) {
        this.timeout = timeout;
    }

    /** Does work that makes a new generation: beside other such work, but not during a read. */
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

    /** Does work that needs the rule set unchanged: beside other such work, but not during a change. */
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
        long left = timeout.toNanos();
        try {
            while (!turn.getAsBoolean() && left > 0) {
                left = turned.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The interrupted thread ends after this.
            Thread.currentThread().interrupt();
        }
    }
}
