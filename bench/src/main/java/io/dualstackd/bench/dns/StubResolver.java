package io.dualstackd.bench.dns;

import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.MessageReader;
import io.dualstackd.dns.message.MessageWriter;
import io.dualstackd.dns.message.ReceivedQuery;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A resolver on loopback that gives every name the same address. */
final class StubResolver implements AutoCloseable {
    private static final int LARGEST = 4_096;
    private static final Ip ADDRESS = Ip.parse("192.0.2.1");
    private static final int TTL = 60;

    private final DatagramSocket socket;

    StubResolver() throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().name("resolver").daemon().start(this::serve);
    }

    Nameserver nameserver() {
        return new Nameserver(Ip.ofBytes(socket.getLocalAddress().getAddress()), "", socket.getLocalPort());
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[LARGEST], LARGEST);
        while (!socket.isClosed()) {
            try {
                packet.setLength(LARGEST);
                socket.receive(packet);
                if (MessageReader.query(packet.getData(), packet.getLength())
                        instanceof ReceivedQuery.Valid(DnsQuery query)) {
                    DnsAnswer answer = new DnsAnswer(
                            DnsResponseCode.NOERROR,
                            false,
                            false,
                            List.of(DnsRecord.address(query.question().name(), TTL, ADDRESS)),
                            List.of(),
                            List.of());
                    byte[] bytes = MessageWriter.answer(query, answer, true, MessageWriter.UDP_BYTES);
                    socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // Closed, or a client is gone.
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
