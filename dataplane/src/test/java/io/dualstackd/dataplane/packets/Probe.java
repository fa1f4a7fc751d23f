package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection, or one datagram and its answer. */
public final class Probe {
    /**
     * No two probes share a source port: a flow the kernel still remembers from an earlier one would be sent where that one went. And none is a
     * port that a daemon on the node may listen on: those of its own pages, and node ports, where it answers health checks.
     */
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(10_300);

    private Probe() {}

    /** A source port that has not been used yet. */
    static int nextPort() {
        return NEXT_PORT.getAndUpdate(port -> port + 1 == 30_000 ? 32_768 : port + 1);
    }

    /** What came of it. */
    public sealed interface Answer {
        /**
         * @param server the name it gave
         * @param sawSource the address it was called from
         */
        record From(String server, Ip sawSource) implements Answer {}

        record Refused() implements Answer {}

        record Silence() implements Answer {}
    }

    /**
     * Sends one.
     *
     * @param timeout milliseconds after which silence is an answer
     */
    public static Answer send(NetNs ns, Ip source, IpPort to, Proto protocol, int timeout) throws Exception {
        return ns.call(() -> {
            try {
                String answer =
                        protocol.equals(Proto.TCP) ? overTcp(source, to, timeout) : overUdp(source, to, timeout);
                int blank = answer.indexOf(' ');
                return new Answer.From(answer.substring(0, blank), Ip.parse(answer.substring(blank + 1)));
            } catch (ConnectException | PortUnreachableException e) {
                return refusedOr(e);
            } catch (SocketTimeoutException e) {
                return new Answer.Silence();
            } catch (IOException e) {
                throw new IOException(source + " → " + to + " " + protocol, e);
            }
        });
    }

    private static Answer refusedOr(IOException e) throws IOException {
        if (e instanceof PortUnreachableException || text(e).contains("refused")) {
            return new Answer.Refused();
        }
        throw e;
    }

    private static String text(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    }

    private static String overTcp(Ip source, IpPort to, int timeout) throws IOException {
        try (SocketChannel channel = SocketChannel.open(Server.family(source))) {
            channel.bind(Server.socketAddress(source, nextPort()));
            var socket = channel.socket();
            socket.setSoTimeout(timeout);
            socket.connect(Server.socketAddress(to.ip(), to.port()), timeout);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String overUdp(Ip source, IpPort to, int timeout) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(Server.family(source))) {
            channel.bind(Server.socketAddress(source, nextPort()));
            var socket = channel.socket();
            socket.setSoTimeout(timeout);
            socket.connect(Server.socketAddress(to.ip(), to.port()));
            try {
                socket.send(new DatagramPacket(new byte[] {'?'}, 1));
            } catch (IOException e) {
                // A rule on the way out drops or rejects it; only what comes back now tells which.
                if (!text(e).contains("not permitted")) {
                    throw e;
                }
            }
            DatagramPacket answer = new DatagramPacket(new byte[64], 64);
            socket.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
        }
    }
}
