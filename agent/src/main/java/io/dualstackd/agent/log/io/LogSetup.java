package io.dualstackd.agent.log.io;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import java.io.PrintStream;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Points all logging at one stream in one format. */
public final class LogSetup {
    /** Kept, because {@code java.util.logging} holds loggers weakly and a collected one forgets its handler. */
    private static final Logger ROOT = Logger.getLogger("");

    private LogSetup() {}

    /** Replaces whatever was set up before. */
    public static void install(LogFormat format, LogLevel level, PrintStream out) {
        for (Handler before : ROOT.getHandlers()) {
            ROOT.removeHandler(before);
            before.close();
        }
        Formatter formatter = switch (format) {
            case TEXT -> new TextLines();
            case JSON -> new JsonLines();
        };
        ROOT.setLevel(Levels.of(level));
        ROOT.addHandler(new Lines(formatter, out));
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
            out.print(getFormatter().format(record));
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
