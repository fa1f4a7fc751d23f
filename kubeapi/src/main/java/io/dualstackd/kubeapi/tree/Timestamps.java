package io.dualstackd.kubeapi.tree;

import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** Parses timestamps of metadata: RFC 3339. */
public final class Timestamps {
    private Timestamps() {}

    /** Seconds since 1970; 0 for a text that is empty or not a timestamp. */
    public static long seconds(String text) {
        try {
            return text.isEmpty() ? 0 : OffsetDateTime.parse(text).toEpochSecond();
        } catch (DateTimeException e) {
            return 0;
        }
    }
}
