package io.dualstackd.supervision.sys;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened in a simulation, as a number that differs when anything happened otherwise, and the last events in words. */
public final class Trace {
    private static final int KEPT = 60;
    private static final long PRIME = 0x100000001b3L;

    private final Deque<String> last = new ArrayDeque<>();
    private long hash = 0xcbf29ce484222325L;
    private long events;

    /** @param at nanoseconds since the start */
    public void add(long at, String kind, String what) {
        events++;
        mix(at);
        mix(kind.hashCode());
        mix(what.hashCode());
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(at / 1_000 + " us " + kind + " " + what);
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }

    public long events() {
        return events;
    }

    public List<String> last() {
        return List.copyOf(last);
    }
}
