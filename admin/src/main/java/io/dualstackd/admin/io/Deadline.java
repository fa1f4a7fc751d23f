package io.dualstackd.admin.io;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;

/** Closes a channel when the peer is too slow; a thread that waits for the channel then gets an exception. */
final class Deadline implements AutoCloseable {
    private final Thread thread;

    Deadline(Channel channel, Duration timeout) {
        thread = Thread.ofVirtual().name("admin-deadline").start(() -> {
            try {
                Thread.sleep(timeout);
                channel.close();
            } catch (InterruptedException | IOException e) {
                // in time, or closed anyway
            }
        });
    }

    /** Ends the time limit: the peer was in time. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
