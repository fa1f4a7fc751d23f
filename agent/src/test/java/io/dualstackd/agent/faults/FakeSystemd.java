package io.dualstackd.agent.faults;

import io.dualstackd.netlink.sys.DatagramInbox;
import io.dualstackd.netlink.sys.SysException;
import java.nio.file.Path;
import java.util.Optional;

/** Receives the notifications that a service sends to systemd. */
final class FakeSystemd implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;

    private final Path socket;
    private final DatagramInbox inbox;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("fake-systemd").unstarted(this::listen);
    private volatile boolean closed;

    private FakeSystemd(Path socket, DatagramInbox inbox) {
        this.socket = socket;
        this.inbox = inbox;
    }

    static FakeSystemd at(Path socket) throws SysException {
        FakeSystemd systemd = new FakeSystemd(socket, DatagramInbox.at(socket.toString()));
        systemd.thread.start();
        return systemd;
    }

    /** The beginning of a command whose program is to tell it. */
    String[] environment() {
        return new String[] {"env", "NOTIFY_SOCKET=" + socket};
    }

    private void listen() {
        try {
            while (!closed) {
                Optional<String> message = inbox.poll();
                if (message.isEmpty()) {
                    Thread.sleep(LOOK_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SysException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
        inbox.close();
    }
}
