package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** A server of a pod that sends back what it receives, and how to ask it. */
final class TcpEcho implements AutoCloseable {
    private static final int TIMEOUT = (int) Duration.ofSeconds(20).toMillis();

    private final ServerSocket socket;
    private final Thread accepting = Thread.ofPlatform().daemon().unstarted(this::acceptAll);

    private TcpEcho(ServerSocket socket) {
        this.socket = socket;
    }

    static TcpEcho start(NetNs ns, Ip ip, int port) throws Exception {
        TcpEcho echo = new TcpEcho(ns.call(() -> new ServerSocket(port, 16, InetAddress.getByAddress(ip.toBytes()))));
        echo.accepting.start();
        return echo;
    }

    private void acceptAll() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofPlatform().daemon().start(() -> answer(client));
            } catch (IOException e) {
                // Stopped, or a client that gave up.
            }
        }
    }

    private static void answer(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // A client that gave up.
        }
    }

    /** Sends all of it, and returns what comes back. */
    static byte[] ask(NetNs ns, Ip to, int port, byte[] question) throws Exception {
        return ns.call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getByAddress(to.toBytes()), port), TIMEOUT);
                socket.setSoTimeout(TIMEOUT);
                // Both directions at once: the buffers of the kernel are smaller than the question.
                Thread sender = Thread.ofPlatform().daemon().start(() -> send(socket, question));
                try (InputStream in = socket.getInputStream()) {
                    byte[] answer = in.readAllBytes();
                    sender.join();
                    return answer;
                }
            }
        });
    }

    private static void send(Socket socket, byte[] question) {
        try {
            socket.getOutputStream().write(question);
            socket.shutdownOutput();
        } catch (IOException e) {
            // The answer is short then.
        }
    }

    /** Returns when the port is free: the thread that waits in the kernel holds the socket there until it has returned. */
    @Override
    public void close() throws Exception {
        socket.close();
        assertThat(accepting.join(Duration.ofMinutes(1))).isTrue();
    }
}
