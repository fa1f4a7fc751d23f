package io.dualstackd.kubeapi.client.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A relay in front of a server. Frozen, it is like a process that was stopped: the kernel goes on to accept and to
 * acknowledge, and nothing is read or said.
 */
final class FrozenRelay implements AutoCloseable {
    private final ServerSocket listening;
    private final int to;
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private boolean frozen;

    FrozenRelay(int to) throws IOException {
        this.to = to;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(listening);
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void freeze(boolean now) {
        lock.lock();
        try {
            frozen = now;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitThaw() {
        lock.lock();
        try {
            while (frozen) {
                thawed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                open.add(client);
                awaitThaw();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(server);
                Thread.ofVirtual().start(() -> pass(client, server));
                Thread.ofVirtual().start(() -> pass(server, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pass(Socket from, Socket onTo) {
        byte[] buffer = new byte[8192];
        try (from;
                onTo) {
            InputStream in = from.getInputStream();
            OutputStream out = onTo.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                awaitThaw();
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // One of the two hung up.
        }
    }

    @Override
    public void close() throws IOException {
        freeze(false);
        for (Closeable each : open) {
            each.close();
        }
    }
}
