package io.dualstackd.nodeaddr.io;

import io.dualstackd.nodeaddr.Host;
import java.time.Duration;

/** Receives the changes found by a {@link HostWatch}, on its thread; must not block it. */
public interface HostListener {
    /** The host has changed. */
    void changed(Host host);

    /** From now on changes may be missed; following is retried until it works. Called once per outage. */
    void cannotFollow(String reason);

    /** Changes are followed again; {@link #changed} was called for those that were missed. */
    void followsAgain();

    /** The watch is not stuck; called at least once in each {@link #pulse}. */
    default void alive() {}

    /** How often {@link #alive} is called while the host does not change. */
    default Duration pulse() {
        return Duration.ofMinutes(5);
    }
}
