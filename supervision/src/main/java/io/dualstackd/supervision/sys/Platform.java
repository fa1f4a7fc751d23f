package io.dualstackd.supervision.sys;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The clocks, threads, waits and random numbers of a daemon. Its components read the time, start threads and wait for each other through
 * this interface only, so that a simulation can run them one at a time, in virtual time, and in an order that a seed decides.
 */
public interface Platform extends InstantSource {
    /** The platform of this process: the system's clocks, and threads of the JVM. */
    static Platform system() {
        return SystemPlatform.INSTANCE;
    }

    /** The wall-clock time, for people. It can be set back. */
    @Override
    Instant instant();

    /** Nanoseconds since an arbitrary moment, as {@link System#nanoTime}. */
    long nanoTime();

    /** The clock for comparisons and deadlines, which cannot be set. */
    SteadyClock steady();

    /** Random numbers for jitter. */
    RandomGenerator random();

    /** Returns a daemon thread that has not been started. */
    Task thread(String name, Runnable work);

    /** Returns a counting semaphore without permits. */
    Permits permits();

    /** Returns a closed latch. */
    Latch latch();

    /**
     * Waits until the future is completed, in whatever way.
     *
     * @return false if that took longer than {@code longest}
     */
    default boolean await(CompletableFuture<?> future, Duration longest) throws InterruptedException {
        if (future.isDone()) {
            return true;
        }
        Latch done = latch();
        var _ = future.whenComplete((value, failure) -> done.open());
        return done.await(longest);
    }

    /** A thread. */
    interface Task {
        /** Starts the thread; to be called once. */
        void start();

        /** Ends the wait of the thread, now or the next one, with an {@link InterruptedException}. */
        void interrupt();

        /** Waits for the end of the thread, which has been started. */
        void join() throws InterruptedException;

        /** Whether this is the calling thread. */
        boolean isCurrent();
    }

    /** A counting semaphore that starts without permits. */
    interface Permits {
        void release();

        /** The number of permits now. */
        int available();

        /** Takes one permit; waits for it for at most {@code longest}, not at all if that is not positive. */
        boolean tryAcquire(Duration longest) throws InterruptedException;

        /** Takes all permits there are. */
        void drain();
    }

    /** A gate that is opened once and stays open. */
    interface Latch {
        void open();

        boolean isOpen();

        /** Waits until it is open. */
        void await() throws InterruptedException;

        /** Waits until it is open, for at most {@code longest}; returns whether it is. */
        boolean await(Duration longest) throws InterruptedException;
    }
}
