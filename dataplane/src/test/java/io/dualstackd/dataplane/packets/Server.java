package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Answers every connection and every datagram with its own name and the source address it saw: {@code "L1 10.0.0.2"}. */
final class Server implements Closeable {
    /** The name of the node's own servers. */
    static final String HOST = "host";

    private final String name;
    private final ServerSocketChannel tcp;
    private final DatagramChannel udp;

    private Server(String name, ServerSocketChannel tcp, DatagramChannel udp) {
        this.name = name;
        this.tcp = tcp;
        this.udp = udp;
    }

    static Server start(NetNs ns, String name, Ip ip, int port) throws Exception {
        Server server = ns.call(() -> {
            InetSocketAddress at = socketAddress(ip, port);
            ServerSocketChannel tcp = ServerSocketChannel.open(family(ip)).bind(at, 128);
            DatagramChannel udp = DatagramChannel.open(family(ip)).bind(at);
            return new Server(name, tcp, udp);
        });
        Thread.ofVirtual().name("tcp-" + name).start(server::acceptAll);
        Thread.ofVirtual().name("udp-" + name).start(server::receiveAll);
        return server;
    }

    private void acceptAll() {
        try {
            while (true) {
                try (SocketChannel connection = tcp.accept()) {
                    answerTo(connection);
                }
            }
        } catch (ClosedChannelException e) {
            // The laboratory closes.
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot accept", e);
        }
    }

    private void answerTo(SocketChannel connection) {
        try {
            connection.write(answer(connection.getRemoteAddress()));
        } catch (IOException e) {
            // A client that gave up early is no reason to stop serving the others.
        }
    }

    private void receiveAll() {
        ByteBuffer question = ByteBuffer.allocate(64);
        try {
            while (true) {
                SocketAddress from = udp.receive(question.clear());
                udp.send(answer(from), from);
            }
        } catch (ClosedChannelException e) {
            // The laboratory closes.
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot receive", e);
        }
    }

    private ByteBuffer answer(SocketAddress from) {
        Ip seen = Ip.ofBytes(((InetSocketAddress) from).getAddress().getAddress());
        return ByteBuffer.wrap((name + " " + seen).getBytes(StandardCharsets.UTF_8));
    }

    static InetSocketAddress socketAddress(Ip ip, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
    }

    static ProtocolFamily family(Ip ip) {
        return ip.family() == IpFamily.IPV4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        udp.close();
    }
}
