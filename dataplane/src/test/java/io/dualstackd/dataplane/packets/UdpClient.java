package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.sys.NetNs;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.PortUnreachableException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;

/** A client that never changes its source port: all it sends is one flow to the kernel, for as long as the kernel remembers it. */
final class UdpClient implements Closeable {
    private static final int TIMEOUT = 60_000;

    private final DatagramSocket socket;
    private final int port;

    private UdpClient(DatagramSocket socket, int port) {
        this.socket = socket;
        this.port = port;
    }

    static UdpClient open(NetNs ns, Ip source, IpPort to) throws Exception {
        int port = Probe.nextPort();
        return ns.call(() -> {
            DatagramChannel channel = DatagramChannel.open(Server.family(source));
            channel.bind(Server.socketAddress(source, port));
            DatagramSocket socket = channel.socket();
            socket.setSoTimeout(TIMEOUT);
            socket.connect(Server.socketAddress(to.ip(), to.port()));
            return new UdpClient(socket, port);
        });
    }

    /** Its source port. */
    int port() {
        return port;
    }

    /** Sends and does not wait. */
    void send() throws IOException {
        try {
            socket.send(new DatagramPacket(new byte[] {'?'}, 1));
        } catch (PortUnreachableException e) {
            // What came of an earlier datagram; it took the place of this one.
            socket.send(new DatagramPacket(new byte[] {'?'}, 1));
        }
    }

    /** Sends a datagram and waits: returns the name of the server that answers, or {@code refused}. */
    String ask() throws IOException {
        try {
            send();
            DatagramPacket answer = new DatagramPacket(new byte[64], 64);
            socket.receive(answer);
            String words = new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
            return words.substring(0, words.indexOf(' '));
        } catch (PortUnreachableException e) {
            return "refused";
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
