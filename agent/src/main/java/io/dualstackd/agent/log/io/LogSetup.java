package io.dualstackd.agent.log.io;

import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Directs all logging to one stream in one format. The stream of this process is written by a thread of its own, see {@link LineWriter};
 * any other one by the thread that logs.
 */
public final class LogSetup {
    /** Kept, because {@code java.util.logging} holds loggers weakly and a collected one loses its handler. */
    private static final Logger ROOT = Logger.getLogger("");

    /**
     * They warn about hosts without links and about options that a Unix socket does not have; what matters is in our own messages. Below
     * info they log every frame and every option, which would hide ours. Kept as above.
     */
    private static final List<Logger> LIBRARIES = List.of(Logger.getLogger("io.netty"), Logger.getLogger("io.grpc"));

    /** Below info it logs each certificate it sees, including all hundred and fifty that the JDK trusts. Kept as above. */
    private static final Logger CERTIFICATES = Logger.getLogger("jdk.event.security");

    /** Records are numbered from the start time in microseconds on, so that their numbers are higher than those of earlier processes. */
    private static final RingHandler RING = new RingHandler(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));

    /** How long the end of a process waits for the reader of its log. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(1);

    /** Kept from one setup to the next, so that the order of lines is. */
    private static @Nullable LineWriter process;

    private static final String GAP = "log lines dropped lines={} reason=\"nobody read the log\"";

    private LogSetup() {}

    /** The last records. */
    public static RecentLog recent() {
        return RING;
    }

    /** Sets which records are made. */
    static void level(Level level) {
        ROOT.setLevel(level);
    }

    /** Replaces any earlier setup. */
    public static void install(LogFormat format, LogLevel level, PrintStream out) {
        List<Handler> before = List.of(ROOT.getHandlers());
        Formatter formatter = switch (format) {
            case TEXT -> new TextLines();
            case JSON -> new JsonLines();
        };
        RING.usual(Levels.of(level));
        Level theirs = level.compareTo(LogLevel.DEBUG) < 0 ? Level.SEVERE : Level.INFO;
        LIBRARIES.forEach(library -> library.setLevel(theirs));
        CERTIFICATES.setLevel(Level.INFO);
        Handler lines =
                out.equals(System.err) ? new Queued(formatter, writer(formatter, out)) : new Lines(formatter, out);
        lines.setLevel(Levels.of(level));
        // First: what another thread logs meanwhile may be written twice, but is not lost.
        ROOT.addHandler(lines);
        if (!before.contains(RING)) {
            ROOT.addHandler(RING);
        }
        before.stream().filter(handler -> handler != RING).forEach(handler -> {
            ROOT.removeHandler(handler);
            handler.close();
        });
    }

    /** Writes what was logged before, for at most a second; for the end of the process. */
    public static void flush() {
        for (Handler handler : ROOT.getHandlers()) {
            handler.flush();
        }
    }

    /** That lines are dropped now, because nobody reads the stream of this process; for people. */
    public static synchronized Optional<String> problem() {
        return Optional.ofNullable(process)
                .map(LineWriter::dropped)
                .filter(lines -> lines > 0)
                .map(lines -> "nobody reads the log on standard error: " + lines + " lines are dropped so far");
    }

    private static synchronized LineWriter writer(Formatter formatter, PrintStream out) {
        LongFunction<String> gap = lines -> formatter.format(gap(lines));
        LineWriter writer = process;
        if (writer == null || !writer.writesTo(out)) {
            writer = new LineWriter(out, LineWriter.MAX_WAITING, gap);
            process = writer;
        }
        writer.gap(gap);
        // While there is memory for it.
        writer.start();
        return writer;
    }

    private static LogRecord gap(long lines) {
        FieldRecord gap = new FieldRecord(Level.WARNING, GAP, new Object[] {lines}, true);
        gap.setLoggerName("dualstackd");
        return gap;
    }

    /** Has lines written by another thread. */
    private static final class Queued extends Handler {
        private final LineWriter writer;

        Queued(Formatter formatter, LineWriter writer) {
            this.writer = writer;
            setFormatter(formatter);
        }

        @Override
        public void publish(LogRecord record) {
            if (isLoggable(record)) {
                writer.add(getFormatter().format(record));
            }
        }

        @Override
        public void flush() {
            writer.flush(LAST_WAIT);
        }

        @Override
        public void close() {
            // What waits is written all the same.
        }
    }

    /** Writes a whole line with one call, so that lines of two threads never mix. */
    private static final class Lines extends Handler {
        private final PrintStream out;

        Lines(Formatter formatter, PrintStream out) {
            this.out = out;
            setFormatter(formatter);
        }

        @Override
        public void publish(LogRecord record) {
            if (isLoggable(record)) {
                out.print(getFormatter().format(record));
            }
        }

        @Override
        public void flush() {
            out.flush();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
