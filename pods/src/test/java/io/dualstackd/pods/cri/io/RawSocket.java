package io.dualstackd.pods.cri.io;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Something that listens on a Unix socket and is no runtime. Each connection is handled on a thread of its own, and open until closed here. */
final class RawSocket implements AutoCloseable {
    /** What it does with a connection. */
    @FunctionalInterface
    interface Habit {
        void handle(SocketChannel connection) throws IOException;
    }

    /** Reads and sends nothing until the other side closes. */
    static final Habit SILENT = connection -> {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        while (connection.read(buffer.clear()) >= 0) {
            // nothing to say
        }
    };

    private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Path socket;

    RawSocket(Path socket, Habit habit) throws IOException {
        this.socket = socket;
        Files.deleteIfExists(socket);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofPlatform().daemon().name("raw-accept").start(() -> accept(habit));
    }

    /** A handler that first sends these bytes, then passes the rest to another. */
    static Habit saying(byte[] bytes) {
        return connection -> {
            ByteBuffer out = ByteBuffer.wrap(bytes);
            while (out.hasRemaining()) {
                connection.write(out);
            }
            SILENT.handle(connection);
        };
    }

    /** How many have connected. */
    int accepted() {
        return accepted.get();
    }

    /** How many are connected. */
    int connected() {
        return open.size();
    }

    private void accept(Habit habit) {
        while (server.isOpen()) {
            try {
                SocketChannel connection = server.accept();
                accepted.incrementAndGet();
                open.add(connection);
                Thread.ofPlatform().daemon().name("raw-connection").start(() -> serve(habit, connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Habit habit, SocketChannel connection) {
        try (connection) {
            habit.handle(connection);
        } catch (IOException e) {
            // The other side hung up, or the test is over.
        } finally {
            open.remove(connection);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (SocketChannel connection : open) {
            connection.close();
        }
        Files.deleteIfExists(socket);
    }
}
