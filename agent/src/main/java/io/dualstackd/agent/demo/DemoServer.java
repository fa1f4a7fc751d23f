package io.dualstackd.agent.demo;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A pod's server: answers every connection or datagram with the pod's name and the source address it sees. */
final class DemoServer implements AutoCloseable {
    private final String pod;
    private final NetworkChannel channel;

    private DemoServer(String pod, NetworkChannel channel) {
        this.pod = pod;
        this.channel = channel;
    }

    /** Opens a server inside {@code ns} on all its addresses of both families. */
    static DemoServer open(NetNs ns, String pod, Proto proto, int port) throws IOException {
        try {
            return ns.call(() -> {
                InetSocketAddress any = new InetSocketAddress("::", port);
                if (proto.equals(Proto.UDP)) {
                    return new DemoServer(pod, DatagramChannel.open().bind(any)).start();
                }
                return new DemoServer(pod, ServerSocketChannel.open().bind(any)).start();
            });
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    private DemoServer start() {
        Thread.ofPlatform().daemon().name("pod-" + pod).start(this::serve);
        return this;
    }

    private void serve() {
        try {
            switch (channel) {
                case DatagramChannel udp -> serveUdp(udp);
                case ServerSocketChannel tcp -> serveTcp(tcp);
                default -> throw new IllegalStateException("no such server: " + channel);
            }
        } catch (ClosedChannelException e) {
            // The demo has ended.
        } catch (IOException e) {
            System.err.println("demo pod " + pod + " stopped serving: " + e);
        }
    }

    private void serveUdp(DatagramChannel udp) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(512);
        while (true) {
            request.clear();
            SocketAddress source = udp.receive(request);
            udp.send(answer(source), source);
        }
    }

    private void serveTcp(ServerSocketChannel tcp) throws IOException {
        while (true) {
            try (SocketChannel connection = tcp.accept()) {
                connection.write(answer(connection.getRemoteAddress()));
            }
        }
    }

    private ByteBuffer answer(SocketAddress source) {
        Ip ip = Ip.ofBytes(((InetSocketAddress) source).getAddress().getAddress());
        return ByteBuffer.wrap((pod + " " + ip).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
