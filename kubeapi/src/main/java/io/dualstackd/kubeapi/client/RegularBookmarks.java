package io.dualstackd.kubeapi.client;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Finds out whether a server sends bookmarks at regular times even when nothing changes, so that their absence shows that the connection
 * is dead. A server sends them each minute, but only when its version has advanced. Without changes it does that if its etcd reports its
 * progress every few seconds, as kubeadm configures it; by default etcd does so every ten minutes. Used by one thread.
 */
public final class RegularBookmarks {
    /** So many bookmarks in a row without a change between them show that there is one each minute. */
    private static final int ENOUGH = 2;

    private final Duration longest;
    private boolean proven;
    /** Bookmarks in a row that came in time, without a change before. */
    private int idle;

    private OptionalLong last = OptionalLong.empty();
    private long eventsAtLast;

    /** @param longest the time between two regular bookmarks at most */
    public RegularBookmarks(Duration longest) {
        this.longest = longest;
    }

    /** Whether the server is known to send them. */
    public boolean areProven() {
        return proven;
    }

    /** A watch begins: the time before it does not count. */
    public void begin() {
        idle = 0;
        last = OptionalLong.empty();
    }

    /**
     * A bookmark came.
     *
     * @param nanos when, on the clock of {@link System#nanoTime}
     * @param events the changes that came since the start of the process
     * @return whether this one is the proof
     */
    public boolean bookmark(long nanos, long events) {
        boolean inTime = last.isPresent() && events == eventsAtLast && nanos - last.getAsLong() < longest.toNanos();
        idle = inTime ? idle + 1 : 0;
        last = OptionalLong.of(nanos);
        eventsAtLast = events;
        boolean isProof = !proven && idle >= ENOUGH;
        proven |= isProof;
        return isProof;
    }

    /** They did not come: it is to be proven again. */
    public void doubt() {
        proven = false;
    }
}
