package io.dualstackd.admin.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Notices that a client disconnects, or shuts down its side of the connection, while its answer is being made: the two cannot be told apart
 * without writing. Waits on a virtual thread, which ends when the channel is closed.
 */
final class DisconnectWatch {
    private volatile boolean disconnected;

    DisconnectWatch(SocketChannel client) {
        Thread.ofVirtual().name("admin-disconnect").start(() -> {
            try {
                // A client sends nothing after its request.
                int ignored = client.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                // Closed here, when the answer has been sent.
            }
            disconnected = true;
        });
    }

    boolean disconnected() {
        return disconnected;
    }
}
