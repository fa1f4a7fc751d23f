package io.dualstackd.agent.log;

import java.util.Locale;

/** The levels of the log, from least to most. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    /** The name in configurations: {@code info}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
