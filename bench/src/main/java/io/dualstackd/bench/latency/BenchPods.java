package io.dualstackd.bench.latency;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/** The servers that run in the pods: they accept every connection, which the client closes, and echo every datagram. */
final class BenchPods {
    private static final int BACKLOG = 4096;
    /** The number of connections that are kept open. */
    private static final int KEPT = 64;

    private final ServerSocketChannel tcp;
    private final Selector udp;

    private BenchPods(ServerSocketChannel tcp, Selector udp) {
        this.tcp = tcp;
        this.udp = udp;
    }

    /** Starts the servers, which run until the process ends. */
    static void start(NetNs ns) throws Exception {
        BenchPods benchPods = ns.call(BenchPods::listen);
        Thread.ofPlatform().daemon().name("pods-tcp").start(benchPods::acceptAll);
        Thread.ofPlatform().daemon().name("pods-udp").start(benchPods::echoAll);
    }

    private static BenchPods listen() throws IOException {
        // Listens in both families.
        ServerSocketChannel tcp =
                ServerSocketChannel.open().bind(new InetSocketAddress(BenchServices.TARGET_PORT), BACKLOG);
        Selector udp = Selector.open();
        for (IpFamily family : IpFamily.values()) {
            for (int n = 0; n < Path.PODS; n++) {
                // One socket for each address, so that an answer has the question's destination as its source.
                DatagramChannel channel = DatagramChannel.open(
                                family == IpFamily.IPV4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6)
                        .bind(socketAddress(Nodes.podIp(family, n), BenchServices.TARGET_PORT));
                channel.configureBlocking(false).register(udp, SelectionKey.OP_READ);
            }
        }
        return new BenchPods(tcp, udp);
    }

    static InetSocketAddress socketAddress(Ip ip, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
    }

    private void acceptAll() {
        // The client closes the connection. A server that closed it at once would reset it before the client has
        // noticed that it was accepted.
        Queue<SocketChannel> connections = new ArrayDeque<>();
        try {
            while (true) {
                connections.add(tcp.accept());
                if (connections.size() > KEPT) {
                    connections.remove().close();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the pods cannot accept", e);
        }
    }

    private void echoAll() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        try {
            while (true) {
                int ignored = udp.select(key -> echo((DatagramChannel) key.channel(), buffer));
            }
        } catch (IOException e) {
            throw new IllegalStateException("the pods cannot receive", e);
        }
    }

    private static void echo(DatagramChannel channel, ByteBuffer buffer) {
        try {
            SocketAddress from = channel.receive(buffer.clear());
            if (from != null) {
                int ignored = channel.send(buffer.flip(), from);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the pods cannot answer", e);
        }
    }
}
