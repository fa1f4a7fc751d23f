package io.dualstackd.pods.cri.io;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Handlers of a relay that stands before a runtime and corrupts its answers. */
final class Relay {
    private Relay() {}

    /** Passes this many bytes of the runtime's, then hangs up. */
    static RawSocket.Habit cutting(Path runtime, int bytes) {
        return client -> relay(client, runtime, bytes, Duration.ZERO);
    }

    /** Passes the runtime's bytes one by one, with a pause after each. */
    static RawSocket.Habit dripping(Path runtime, Duration pause) {
        return client -> relay(client, runtime, Integer.MAX_VALUE, pause);
    }

    private static void relay(SocketChannel client, Path runtime, int bytes, Duration pause) throws IOException {
        try (SocketChannel server = SocketChannel.open(UnixDomainSocketAddress.of(runtime))) {
            Thread.ofPlatform().daemon().name("raw-upstream").start(() -> {
                try {
                    pass(client, server, Integer.MAX_VALUE, 4096, Duration.ZERO);
                } catch (IOException e) {
                    // The other direction has ended.
                }
            });
            pass(server, client, bytes, pause.isZero() ? 4096 : 1, pause);
        }
    }

    private static void pass(SocketChannel from, SocketChannel to, int bytes, int chunk, Duration pause)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(chunk);
        int left = bytes;
        while (left > 0 && from.read(buffer.clear().limit(Math.min(chunk, left))) >= 0) {
            buffer.flip();
            left -= buffer.remaining();
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
            if (!pause.isZero()) {
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }
}
