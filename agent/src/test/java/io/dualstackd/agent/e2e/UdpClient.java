package io.dualstackd.agent.e2e;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;

/** One socket with one source port, so that for the kernel all it sends is one flow. */
final class UdpClient implements AutoCloseable {
    private static final int TIMEOUT_MS = 300;

    private final DatagramSocket socket;

    private UdpClient(DatagramSocket socket) {
        this.socket = socket;
    }

    static UdpClient open(NetNs ns, Ip source, int sourcePort, Ip to, int port) throws Exception {
        return new UdpClient(ns.call(() -> {
            DatagramChannel channel = DatagramChannel.open();
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(source.toBytes()), sourcePort));
            channel.connect(new InetSocketAddress(InetAddress.getByAddress(to.toBytes()), port));
            channel.socket().setSoTimeout(TIMEOUT_MS);
            return channel.socket();
        }));
    }

    /** Sends once; the answer, or {@code silence} or {@code refused}. */
    String say(String words) throws IOException {
        byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
        try {
            socket.send(new DatagramPacket(bytes, bytes.length));
            DatagramPacket answer = new DatagramPacket(new byte[65_000], 65_000);
            socket.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            return "silence";
        } catch (PortUnreachableException e) {
            return "refused";
        } catch (IOException e) {
            // A rule on the way out drops it.
            if (String.valueOf(e.getMessage()).contains("not permitted")) {
                return "silence";
            }
            throw e;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
