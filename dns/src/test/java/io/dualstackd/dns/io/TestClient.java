package io.dualstackd.dns.io;

import io.dualstackd.dns.NettyCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** Sends queries written by Netty's codec over the JDK's sockets. */
public final class TestClient {
    /** Nothing takes so long. */
    private static final int TIMEOUT = 60_000;

    private TestClient() {}

    public static NettyCodec.Read udp(InetSocketAddress server, String name, String type) throws IOException {
        return udp(server, name, type, 0);
    }

    public static NettyCodec.Read udp(InetSocketAddress server, String name, String type, int payload)
            throws IOException {
        return NettyCodec.read(udp(server, NettyCodec.query(4711, name, type, payload)));
    }

    public static byte[] udp(InetSocketAddress server, byte[] query) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            socket.setSoTimeout(TIMEOUT);
            send(socket, query);
            return receive(socket);
        }
    }

    public static void send(DatagramSocket socket, byte[] message) throws IOException {
        socket.send(new DatagramPacket(message, message.length));
    }

    public static byte[] receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        socket.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    public static NettyCodec.Read tcp(InetSocketAddress server, String name, String type) throws IOException {
        try (Tcp tcp = new Tcp(server)) {
            tcp.send(NettyCodec.query(4711, name, type, 0));
            return NettyCodec.read(tcp.receive());
        }
    }

    /** With its length before it. */
    static byte[] framed(byte[] message) {
        byte[] framed = new byte[message.length + 2];
        framed[0] = (byte) (message.length >> 8);
        framed[1] = (byte) message.length;
        System.arraycopy(message, 0, framed, 2, message.length);
        return framed;
    }

    /** A connection. */
    static final class Tcp implements AutoCloseable {
        final Socket socket = new Socket();
        private final DataInputStream in;
        private final DataOutputStream out;

        Tcp(InetSocketAddress server) throws IOException {
            socket.connect(server, TIMEOUT);
            socket.setSoTimeout(TIMEOUT);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        }

        void send(byte[] message) throws IOException {
            raw(framed(message));
        }

        void raw(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        byte[] receive() throws IOException {
            byte[] message = new byte[in.readUnsignedShort()];
            in.readFully(message);
            return message;
        }

        /** Waits until the server closes the connection. */
        boolean isClosedByServer() throws IOException {
            try {
                return in.read() < 0;
            } catch (java.net.SocketException e) {
                // A reset is an end, too.
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
