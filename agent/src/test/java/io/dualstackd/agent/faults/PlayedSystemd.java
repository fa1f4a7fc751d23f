package io.dualstackd.agent.faults;

import io.dualstackd.netlink.sys.DatagramInbox;
import io.dualstackd.netlink.sys.SysException;
import java.nio.file.Path;
import java.util.Optional;

/** Listens where a service tells systemd how it is, so that the daemon tells it. */
final class PlayedSystemd implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;

    private final Path socket;
    private final DatagramInbox inbox;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("played-systemd").unstarted(this::listen);
    private volatile boolean closed;

    private PlayedSystemd(Path socket, DatagramInbox inbox) {
        this.socket = socket;
        this.inbox = inbox;
    }

    static PlayedSystemd at(Path socket) throws SysException {
        PlayedSystemd systemd = new PlayedSystemd(socket, DatagramInbox.at(socket.toString()));
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
                Optional<String> said = inbox.poll();
                if (said.isEmpty()) {
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
