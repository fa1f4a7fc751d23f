package io.dualstackd.agent.log.io;

import io.dualstackd.agent.log.LogLevel;
import java.util.logging.Level;

/** Maps our levels to those of {@code java.util.logging}, as SLF4J does. */
final class Levels {
    private Levels() {}

    static Level of(LogLevel level) {
        return switch (level) {
            case ERROR -> Level.SEVERE;
            case WARN -> Level.WARNING;
            case INFO -> Level.INFO;
            case DEBUG -> Level.FINE;
            case TRACE -> Level.FINEST;
        };
    }

    static LogLevel of(Level level) {
        for (LogLevel candidate : LogLevel.values()) {
            if (level.intValue() >= of(candidate).intValue()) {
                return candidate;
            }
        }
        return LogLevel.TRACE;
    }
}
