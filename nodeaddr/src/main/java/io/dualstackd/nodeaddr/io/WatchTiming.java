package io.dualstackd.nodeaddr.io;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The clock and the thread of a {@link HostWatch}; a simulation has its own. */
public interface WatchTiming {
    /** The clock of the process, and a daemon thread. */
    WatchTiming SYSTEM = new WatchTiming() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void start(String name, Runnable work) {
            Thread.ofPlatform().daemon().name(name).start(work);
        }

        @Override
        public End end() {
            CountDownLatch ended = new CountDownLatch(1);
            return new End() {
                @Override
                public void come() {
                    ended.countDown();
                }

                @Override
                public boolean hasCome() {
                    return ended.getCount() == 0;
                }

                @Override
                public boolean await(Duration longest) throws InterruptedException {
                    return ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
                }
            };
        }
    };

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Starts a thread. */
    void start(String name, Runnable work);

    /** Returns the end of a watch, which has not come yet. */
    End end();

    /** An event that happens once, from any thread. */
    interface End {
        void come();

        boolean hasCome();

        /** Waits for at most {@code longest}; returns whether it has come. */
        boolean await(Duration longest) throws InterruptedException;
    }
}
