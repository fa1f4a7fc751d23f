package io.dualstackd.agent.log.io;

import io.dualstackd.admin.monitor.RecentLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Keeps the last records of our loggers. Records of level debug are made only while somebody reads: each reading lowers the level of
 * the root logger for {@link #WATCHED}.
 */
final class RingHandler extends Handler implements RecentLog {
    static final int SIZE = 2048;
    private static final Duration WATCHED = Duration.ofSeconds(10);

    private final JsonLines json = new JsonLines();
    private final String[] lines = new String[SIZE];
    private final long[] times = new long[SIZE];
    private long next;

    private Level usual = Level.INFO;
    private boolean watched;
    private long watchedUntil;

    /** Sets the level of records while nobody reads. */
    synchronized void usual(Level level) {
        usual = level;
        watched = false;
    }

    @Override
    public void publish(LogRecord logRecord) {
        String logger = String.valueOf(logRecord.getLoggerName());
        // Names of ours are one word. What the admin socket does is what the reader does.
        if (logger.indexOf('.') >= 0
                || (logger.equals("admin") && logRecord.getLevel().intValue() < Level.INFO.intValue())) {
            return;
        }
        String line = json.format(logRecord).stripTrailing();
        synchronized (this) {
            int at = (int) (next % SIZE);
            lines[at] = line;
            times[at] = logRecord.getMillis();
            next++;
            if (watched && System.nanoTime() - watchedUntil > 0) {
                watched = false;
                LogSetup.level(usual);
            }
        }
    }

    @Override
    public synchronized Batch from(long number) {
        watchedUntil = System.nanoTime() + WATCHED.toNanos();
        if (!watched) {
            watched = true;
            LogSetup.level(usual.intValue() > Level.FINE.intValue() ? Level.FINE : usual);
        }
        long oldest = Math.max(0, next - SIZE);
        // A number that was not given yet was given by a process before this one.
        long known = number > next ? 0 : Math.max(0, number);
        long first = Math.max(known, oldest);
        List<String> found = new ArrayList<>();
        for (long each = first; each < next; each++) {
            found.add(lines[(int) (each % SIZE)]);
        }
        return new Batch(next, first - known, found);
    }

    @Override
    public synchronized long since(Instant time) {
        long oldest = Math.max(0, next - SIZE);
        for (long each = next; each > oldest; each--) {
            if (times[(int) ((each - 1) % SIZE)] < time.toEpochMilli()) {
                return each;
            }
        }
        return oldest;
    }

    @Override
    public synchronized long next() {
        return next;
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        // What was kept stays readable.
    }
}
