package io.dualstackd.agent.admin.io;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;

/** Closes a channel when the other side is too slow; whoever waits for it then gets an exception. */
final class Deadline implements AutoCloseable {
    private final Thread thread;

    Deadline(Channel channel, Duration patience) {
        thread = Thread.ofVirtual().name("admin-deadline").start(() -> {
            try {
                Thread.sleep(patience);
                channel.close();
            } catch (InterruptedException | IOException e) {
                // in time, or gone anyway
            }
        });
    }

    /** It was in time. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
