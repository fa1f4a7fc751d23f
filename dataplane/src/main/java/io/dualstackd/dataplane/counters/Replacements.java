package io.dualstackd.dataplane.counters;

import java.io.IOException;

/**
 * The replacements of tables in iptables legacy, in which rules have no handles: between two of them the counters of a table are those of the
 * same rules. Safe for use by several threads.
 */
public final class Replacements {
    private long current;

    /** Work done while nothing else touches the tables. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Replaces tables; counts as a replacement whether it succeeds or not. */
    public synchronized <T> T replace(Work<T> work) throws IOException {
        current++;
        return work.run();
    }

    /** Reads tables. */
    public synchronized <T> T read(RuleCounters.Reading into, Work<T> work) throws IOException {
        into.after(current);
        return work.run();
    }

    /** The number of the current replacement; to be called by what it does. */
    synchronized long current() {
        return current;
    }
}
