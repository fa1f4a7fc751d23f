package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A server that can be stopped: over TCP it sends its name and the client's address, over UDP its name and what it received. */
final class PodServer implements AutoCloseable {
    private static final int LARGEST = 65_000;

    private final String name;
    private final ServerSocketChannel tcp;
    private final DatagramChannel udp;
    private final List<Thread> threads;

    private PodServer(String name, ServerSocketChannel tcp, DatagramChannel udp) {
        this.name = name;
        this.tcp = tcp;
        this.udp = udp;
        this.threads = Stream.<Runnable>of(this::acceptAll, this::receiveAll)
                .map(Thread.ofPlatform().daemon()::unstarted)
                .toList();
    }

    static PodServer start(NetNs ns, String name, Ip ip, int port) throws Exception {
        PodServer server = ns.call(() -> {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
            return new PodServer(
                    name,
                    ServerSocketChannel.open().bind(at, 256),
                    DatagramChannel.open().bind(at));
        });
        server.threads.forEach(Thread::start);
        return server;
    }

    private void acceptAll() {
        try {
            while (true) {
                try (SocketChannel client = tcp.accept()) {
                    Ip seen = Ip.ofBytes(((InetSocketAddress) client.getRemoteAddress())
                            .getAddress()
                            .getAddress());
                    client.write(ByteBuffer.wrap((name + " " + seen).getBytes(StandardCharsets.UTF_8)));
                } catch (ClosedChannelException e) {
                    throw e;
                } catch (IOException e) {
                    // A client that gave up.
                }
            }
        } catch (ClosedChannelException e) {
            // Stopped.
        }
    }

    private void receiveAll() {
        ByteBuffer buffer = ByteBuffer.allocate(LARGEST);
        try {
            while (true) {
                SocketAddress from = udp.receive(buffer.clear());
                String question = StandardCharsets.UTF_8.decode(buffer.flip()).toString();
                udp.send(ByteBuffer.wrap((name + " " + question).getBytes(StandardCharsets.UTF_8)), from);
            }
        } catch (IOException e) {
            // Stopped.
        }
    }

    /** Returns when the port is free: a thread that waits in the kernel holds its socket there until it has returned. */
    @Override
    public void close() throws Exception {
        tcp.close();
        udp.close();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
        }
    }
}
