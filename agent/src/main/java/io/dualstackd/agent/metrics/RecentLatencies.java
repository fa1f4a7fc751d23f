package io.dualstackd.agent.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long the last changes took: for people who ask now, where a histogram tells of all time. One thread notes, any looks. */
public final class RecentLatencies {
    /** How many are remembered. */
    public static final int ROOM = 256;

    private final AtomicLongArray latencies = new AtomicLongArray(ROOM);
    private final AtomicLong count = new AtomicLong();

    /** @param took in nanoseconds */
    public void note(long took) {
        long number = count.get();
        latencies.set((int) (number % ROOM), took);
        count.set(number + 1);
    }

    /** In order of their length. */
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
         * In nanoseconds, 0 when there is none.
         *
         * @param share of latencies that are not longer, 0 to 1
         */
        public long quantile(double share) {
            return nanos.length == 0 ? 0 : nanos[Math.max(0, (int) Math.ceil(share * nanos.length) - 1)];
        }
    }
}
