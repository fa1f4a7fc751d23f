package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.sys.NetNs;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A TCP connection that stays open, with both ends. */
final class TcpConversation implements Closeable {
    static final int PORT = 9090;

    private static final int TIMEOUT = 60_000;

    private final Socket client;
    private final Socket server;

    private TcpConversation(Socket client, Socket server) throws IOException {
        this.client = client;
        this.server = server;
        client.setSoTimeout(TIMEOUT);
        server.setSoTimeout(TIMEOUT);
    }

    /** Listens at {@code pod} and calls {@code to}, which must lead there. */
    static TcpConversation start(NetNs podNs, Ip pod, NetNs clientNs, Ip source, IpPort to) throws Exception {
        try (ServerSocketChannel listener =
                podNs.call(() -> ServerSocketChannel.open(Server.family(pod)).bind(Server.socketAddress(pod, PORT)))) {
            SocketChannel calling = clientNs.call(() -> {
                SocketChannel channel = SocketChannel.open(Server.family(source));
                channel.bind(Server.socketAddress(source, Probe.nextPort()));
                channel.socket().connect(Server.socketAddress(to.ip(), to.port()), TIMEOUT);
                return channel;
            });
            return new TcpConversation(calling.socket(), listener.accept().socket());
        }
    }

    /** Sends text to the server, which echoes it; returns what the client receives. */
    String say(String words) throws IOException {
        byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
        client.getOutputStream().write(bytes);
        server.getOutputStream().write(server.getInputStream().readNBytes(bytes.length));
        return new String(client.getInputStream().readNBytes(bytes.length), StandardCharsets.UTF_8);
    }

    /** Sends text to the process that has the connection now, which is not the server; returns what the client receives. */
    String call(String words) throws IOException {
        client.getOutputStream().write(words.getBytes(StandardCharsets.UTF_8));
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
