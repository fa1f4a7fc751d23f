package io.dualstackd.agent.log;

import java.util.Locale;

/** How much is logged, from least to most. */
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
