package io.dualstackd.pages.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latencies of the last changes: the current values for people, while a histogram covers all time. One thread records, any thread
 * reads.
 */
public final class RecentLatencies {
    /** The number of latencies that are remembered. */
    public static final int ROOM = 256;

    private final AtomicLongArray latencies = new AtomicLongArray(ROOM);
    private final AtomicLong count = new AtomicLong();

    /** @param took in nanoseconds */
    public void note(long took) {
        long number = count.get();
        latencies.set((int) (number % ROOM), took);
        count.set(number + 1);
    }

    /** The latencies in ascending order. */
    public Sorted sorted() {
        long[] now = new long[(int) Math.min(count.get(), ROOM)];
        Arrays.setAll(now, latencies::get);
        Arrays.sort(now);
        return new Sorted(now);
    }

    /** Latencies in order. */
    public static final class Sorted {
        private final long[] nanos;

        private Sorted(long[] nanos) {
            this.nanos = nanos;
        }

        public int count() {
            return nanos.length;
        }

        /**
         * The latency at a quantile in nanoseconds, 0 when there is none.
         *
         * @param share of latencies that are not longer, 0 to 1
         */
        public long quantile(double share) {
            return nanos.length == 0 ? 0 : nanos[Math.max(0, (int) Math.ceil(share * nanos.length) - 1)];
        }
    }
}
