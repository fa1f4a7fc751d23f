package io.dualstackd.admin.monitor;

import java.time.Instant;
import java.util.List;

/** The last records of the daemon's log, each a line of JSON with a number; numbers go up by one. Safe for use by several threads. */
public interface RecentLog {
    /** No log. */
    RecentLog NONE = new RecentLog() {
        @Override
        public Batch from(long number, LineFilter filter) {
            return new Batch(number, number, 0, List.of());
        }

        @Override
        public long since(Instant time) {
            return 0;
        }

        @Override
        public long next() {
            return 0;
        }
    };

    /**
     * Records in order.
     *
     * @param next the number to ask for next
     * @param end the number that the next record gets: more than {@code next} when more is kept than fits into a batch
     * @param lost how many of those that were asked for are no longer kept
     */
    record Batch(long next, long end, long lost, List<String> lines) {
        public Batch {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The records with this number and higher ones that the filter selects, as many as fit into a batch; for some seconds after the call
     * records of level debug are kept, too.
     */
    Batch from(long number, LineFilter filter);

    /** The number of the first record that is kept and not older. */
    long since(Instant time);

    /** The number that the next record gets. */
    long next();
}
