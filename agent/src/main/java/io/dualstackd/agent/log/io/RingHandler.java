package io.dualstackd.agent.log.io;

import io.dualstackd.admin.monitor.LineFilter;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.kubeapi.store.ServiceDiff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last records of our loggers, at most {@link #MAX_RECORDS} and about {@link #MAX_BYTES}. Records of level debug are made only
 * while a client reads: each request lowers the level of the root logger for {@link #WATCHED}.
 *
 * <p>The thread that makes a change only puts a reference here; the text of a change is made by the thread that reads it. With 5,000 changes
 * a second the text took so long that the last change was 20 s late.
 */
final class RingHandler extends Handler implements RecentLog {
    static final int MAX_RECORDS = 2048;
    static final int MAX_BYTES = 4 << 20;

    /** The length after which an answer ends, in characters, so that readers which read nothing keep little in memory. */
    static final int MAX_ANSWER = 64 << 10;

    private static final Duration WATCHED = Duration.ofSeconds(10);

    /** A record: its text, or the change of which the text is made later. */
    private sealed interface Kept {
        long millis();

        int bytes();

        record Line(long millis, String text) implements Kept {
            @Override
            public int bytes() {
                return text.length();
            }
        }

        record Change(FieldRecord fieldRecord, ServiceDiff diff) implements Kept {
            private static final int RECORD_BYTES = 256;

            @Override
            public long millis() {
                return fieldRecord.getMillis();
            }

            @Override
            public int bytes() {
                return RECORD_BYTES + diff.retainedBytes();
            }
        }
    }

    private final JsonLines json = new JsonLines();
    private final @Nullable Kept[] ring = new Kept[MAX_RECORDS];
    private final long first;
    private long oldest;
    private long next;
    private int bytes;

    private Level usual = Level.INFO;
    private boolean watched;
    private long watchedUntil;

    /** @param first the number of the first record, higher than those of processes before this one: a reader may have one of theirs */
    RingHandler(long first) {
        this.first = first;
        this.oldest = first;
        this.next = first;
    }

    /** Sets the level of records without a client that reads. */
    synchronized void usual(Level level) {
        LogSetup.level(level);
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
        Kept kept = kept(logRecord);
        synchronized (this) {
            while (next > oldest && (next - oldest == MAX_RECORDS || bytes + kept.bytes() > MAX_BYTES)) {
                forgetOldest();
            }
            ring[slot(next)] = kept;
            bytes += kept.bytes();
            next++;
            if (watched && System.nanoTime() - watchedUntil > 0) {
                watched = false;
                LogSetup.level(usual);
            }
        }
    }

    private Kept kept(LogRecord logRecord) {
        if (logRecord instanceof FieldRecord fieldRecord && fieldRecord.diff().isPresent()) {
            return new Kept.Change(fieldRecord, fieldRecord.diff().get());
        }
        return new Kept.Line(logRecord.getMillis(), json.format(logRecord).stripTrailing());
    }

    private void forgetOldest() {
        int slot = slot(oldest);
        Kept kept = ring[slot];
        bytes -= kept == null ? 0 : kept.bytes();
        ring[slot] = null;
        oldest++;
    }

    private static int slot(long number) {
        return (int) (number % MAX_RECORDS);
    }

    @Override
    public Batch from(long number, LineFilter filter) {
        List<Kept> candidates = new ArrayList<>();
        long from;
        long lost;
        long end;
        synchronized (this) {
            watch();
            end = next;
            // A number that was not given yet was given by a process before this one.
            long known = number > end ? first : Math.max(first, number);
            from = Math.max(known, oldest);
            lost = from - known;
            for (long each = from; each < end; each++) {
                candidates.add(ring[slot(each)]);
            }
        }
        // Without the lock, which threads that log wait for.
        List<String> lines = new ArrayList<>();
        int length = 0;
        int at = 0;
        while (at < candidates.size() && length < MAX_ANSWER) {
            Optional<String> line = line(candidates.get(at++), filter);
            length += line.map(String::length).orElse(0);
            line.ifPresent(lines::add);
        }
        return new Batch(from + at, end, lost, lines);
    }

    private Optional<String> line(Kept kept, LineFilter filter) {
        return switch (kept) {
            case Kept.Line(var _, String text) -> Optional.of(text).filter(filter::selects);
            case Kept.Change change ->
                filter.selects(change.diff().key().toString())
                        ? Optional.of(json.format(change.fieldRecord()).stripTrailing())
                        : Optional.empty();
        };
    }

    private void watch() {
        watchedUntil = System.nanoTime() + WATCHED.toNanos();
        if (!watched) {
            watched = true;
            LogSetup.level(usual.intValue() > Level.FINE.intValue() ? Level.FINE : usual);
        }
    }

    @Override
    public synchronized long since(Instant time) {
        for (long each = next; each > oldest; each--) {
            Kept kept = ring[slot(each - 1)];
            if (kept != null && kept.millis() < time.toEpochMilli()) {
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
