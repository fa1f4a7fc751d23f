package io.dualstackd.agent.log;

import java.util.Locale;

/** The format of log lines. */
public enum LogFormat {
    /** {@code 2026-11-21T04:52:01.123Z INFO  dataplane  programmed family=IPv4 ms=3}. */
    TEXT,
    /** One JSON object per line: {@code time}, {@code level}, {@code logger}, {@code thread}, {@code message}, {@code fields}, {@code exception}. */
    JSON;

    /** The name in configurations: {@code json}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
