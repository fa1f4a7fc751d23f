package io.dualstackd.node.report.io;

import java.util.List;
import org.slf4j.Logger;

/** Logs a warning once, until it changes. Used by one thread. */
final class RepeatedWarning {
    private final Logger log;
    private List<Object> logged = List.of();

    RepeatedWarning(Logger log) {
        this.log = log;
    }

    /** Returns whether the warning has changed. */
    boolean say(String template, Object... values) {
        List<Object> now = List.of(template, List.of(values));
        boolean changed = !now.equals(logged);
        if (changed) {
            log.warn(template, values);
        }
        logged = now;
        return changed;
    }

    /** All is well: the next warning is logged, whatever it is. */
    void clear() {
        logged = List.of();
    }
}
