package io.dualstackd.dns.io;

import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.MessageReader;
import io.dualstackd.dns.message.MessageWriter;
import io.dualstackd.dns.message.ReceivedQuery;
import io.dualstackd.netlink.ip.Ip;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A resolver on loopback, over UDP and TCP, which answers as a test specifies. */
public final class TestResolver implements AutoCloseable {
    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Thread overUdp;
    private volatile Function<DnsQuery, List<byte[]>> answers;

    /** Ports of the clients, one for each UDP query. */
    final List<Integer> ports = new CopyOnWriteArrayList<>();

    final List<DnsQuery> queries = new CopyOnWriteArrayList<>();
    final List<DnsQuery> tcpQueries = new CopyOnWriteArrayList<>();
    private volatile Function<DnsQuery, List<byte[]>> tcpAnswers = query -> List.of();

    TestResolver(String address, Function<DnsQuery, List<byte[]>> answers) throws IOException {
        this(address, 0, answers);
    }

    private TestResolver(String address, int port, Function<DnsQuery, List<byte[]>> answers) throws IOException {
        InetAddress local = InetAddress.getByName(address);
        this.answers = answers;
        Sockets sockets = Sockets.open(local, port);
        this.tcp = sockets.tcp;
        this.udp = sockets.udp;
        this.overUdp = Thread.ofPlatform().daemon().start(this::serveUdp);
        Thread.ofPlatform().daemon().start(this::serveTcp);
    }

    private record Sockets(ServerSocket tcp, DatagramSocket udp) {
        private static final int ATTEMPTS = 20;

        /** @param port 0 for any that is free over both */
        static Sockets open(InetAddress local, int port) throws IOException {
            for (int attempt = 1; ; attempt++) {
                ServerSocket tcp = new ServerSocket(port, 50, local);
                try {
                    return new Sockets(tcp, new DatagramSocket(tcp.getLocalPort(), local));
                } catch (BindException e) {
                    tcp.close();
                    if (port != 0 || attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Answers each query with the same. */
    static TestResolver of(Function<DnsQuery, DnsAnswer> answer) throws IOException {
        return new TestResolver("127.0.0.1", query -> List.of(message(query, answer.apply(query))));
    }

    /** As {@link #of(Function)}, on port 53 of an address. */
    public static TestResolver on(String address, Function<DnsQuery, DnsAnswer> answer) throws IOException {
        return new TestResolver(address, Nameserver.PORT, query -> List.of(message(query, answer.apply(query))));
    }

    static byte[] message(DnsQuery query, DnsAnswer answer) {
        return MessageWriter.answer(query, answer, true, 65_535);
    }

    void answer(Function<DnsQuery, List<byte[]>> other) {
        answers = other;
    }

    void answerTcp(Function<DnsQuery, DnsAnswer> other) {
        tcpAnswers = query -> List.of(message(query, other.apply(query)));
    }

    Nameserver nameserver() {
        return new Nameserver(Ip.ofBytes(udp.getLocalAddress().getAddress()), "", udp.getLocalPort());
    }

    private static DnsQuery read(byte[] bytes) {
        return ((ReceivedQuery.Valid) MessageReader.query(bytes, bytes.length)).query();
    }

    private void serveUdp() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[4_096], 4_096);
                udp.receive(packet);
                DnsQuery query = read(Arrays.copyOf(packet.getData(), packet.getLength()));
                queries.add(query);
                ports.add(packet.getPort());
                for (byte[] answer : answers.apply(query)) {
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serveTcp() {
        try {
            while (true) {
                try (Socket client = tcp.accept()) {
                    DataInputStream in = new DataInputStream(client.getInputStream());
                    DnsQuery query = read(in.readNBytes(in.readUnsignedShort()));
                    tcpQueries.add(query);
                    DataOutputStream out = new DataOutputStream(client.getOutputStream());
                    for (byte[] answer : tcpAnswers.apply(query)) {
                        out.writeShort(answer.length);
                        out.write(answer);
                    }
                    out.flush();
                    int ignored = in.read();
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** From now on connections over TCP are refused. */
    void closeTcp() throws IOException {
        tcp.close();
    }

    /** From now on queries over UDP are refused. */
    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
        try {
            // A thread that waits in the kernel for a packet keeps the socket there until it has returned.
            boolean ignored = overUdp.join(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
