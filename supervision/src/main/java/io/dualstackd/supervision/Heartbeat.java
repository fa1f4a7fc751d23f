package io.dualstackd.supervision;

import java.time.Duration;

/** The liveness signal of a component. Thread-safe, and cheap enough to be called for each piece of work. */
public interface Heartbeat {
    /** The heartbeat of a component that is not supervised. */
    Heartbeat NONE = new Heartbeat() {
        @Override
        public void beat() {}

        @Override
        public void quiet(Duration longest) {}

        @Override
        public void idle() {}

        @Override
        public Duration longestWait() {
            return Duration.ofSeconds(30);
        }
    };

    /** Reports that the component is alive; the next beat is due within its deadline. */
    void beat();

    /** Reports that the component is alive and will wait for at most {@code longest}; its deadline counts from then on. */
    void quiet(Duration longest);

    /** Reports that the component is alive and has nothing to do until its next beat. */
    void idle();

    /** The time a wait between two beats may take: a third of the deadline. */
    Duration longestWait();

    /** The shorter of {@code wait} and {@link #longestWait}. */
    default Duration atMost(Duration wait) {
        return wait.compareTo(longestWait()) < 0 ? wait : longestWait();
    }
}
