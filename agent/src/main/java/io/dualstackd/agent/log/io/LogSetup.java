package io.dualstackd.agent.log.io;

import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Directs all logging to one stream in one format. */
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
        Handler lines = new Lines(formatter, out);
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
