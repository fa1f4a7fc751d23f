package io.dualstackd.nodeaddr.io;

import io.dualstackd.nodeaddr.Host;
import java.time.Duration;

/** Told by a {@link HostWatch} on its thread; must not block it. */
public interface HostListener {
    /** The host is another one than it was. */
    void changed(Host host);

    /** From now on changes may go unseen; it is tried again and again to see them. Said once. */
    void cannotFollow(String reason);

    /** Changes are seen again; {@link #changed} was called for those that were missed. */
    void followsAgain();

    /** The watch is not stuck; called at least once in the time that {@link #pulse} says. */
    default void alive() {}

    /** How often {@link #alive} is called while the host does not change. */
    default Duration pulse() {
        return Duration.ofMinutes(5);
    }
}
