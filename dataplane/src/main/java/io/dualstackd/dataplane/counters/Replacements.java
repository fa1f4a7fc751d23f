package io.dualstackd.dataplane.counters;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The replacements of tables in iptables legacy, in which rules have no handles: between two of them the counters of a table are those of the
 * same rules. Safe for use by several threads.
 */
public final class Replacements {
    private final ReentrantLock tables = new ReentrantLock();
    private long current;

    /** What is done while nothing else touches the tables. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Replaces tables; counts as a replacement whether it succeeds or not. */
    public <T> T replace(Work<T> work) throws IOException {
        tables.lock();
        try {
            current++;
            return work.run();
        } finally {
            tables.unlock();
        }
    }

    /** Reads tables. */
    public <T> T read(RuleCounters.Reading into, Work<T> work) throws IOException {
        tables.lock();
        try {
            into.after(current);
            return work.run();
        } finally {
            tables.unlock();
        }
    }

    /** The number of the current replacement; to be called by what it does. */
    long current() {
        return current;
    }
}
