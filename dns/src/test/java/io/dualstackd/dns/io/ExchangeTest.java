package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.forward.ForwardKey;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.forward.NameserverOrder;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ExchangeTest {
    /** Each may miss: another thread may get the number of the file descriptor first. */
    private static final int EXCHANGES = 10;

    private static final int SOCKETS = 16;

    private static final int TIMEOUT = 5_000;

    /**
     * Netty may go on reading when the handler has closed the socket and returns: from whatever has been opened with the same number by then.
     * Data of others would be lost, or the thread would wait in the kernel for ever.
     */
    @Test
    void nothingIsReadFromASocketThatIsClosed() throws Exception {
        try (TestResolver upstream = TestResolver.of(ForwardingFixture::address);
                DnsLoop loop = DnsLoop.open(DnsSupervision.NONE)) {
            for (int i = 0; i < EXCHANGES; i++) {
                List<DatagramSocket> others = opened(loop, ForwardSettings.defaults(List.of(upstream.nameserver())));
                try {
                    for (DatagramSocket other : others) {
                        other.setSoTimeout(TIMEOUT);
                        assertThat(TestClient.receive(other)).hasSize(1);
                    }
                } finally {
                    others.forEach(DatagramSocket::close);
                }
            }
        }
    }

    /** Returns sockets with a packet each, which were opened while a resolver's answer was handled. */
    private static List<DatagramSocket> opened(DnsLoop loop, ForwardSettings settings) throws Exception {
        CompletableFuture<List<DatagramSocket>> opened = new CompletableFuture<>();
        Exchange exchange = new Exchange(
                loop,
                settings,
                new NameserverOrder(settings.nameservers()),
                System::nanoTime,
                new ForwardKey(new DnsQuestion(DnsName.parse("a.example.com"), DnsRecordType.A), false, false),
                (answer, bytes) -> opened.complete(withAPacketEach()));
        loop.execute(exchange::begin);
        // What Netty reads afterwards, it has read when the thread does something else.
        List<DatagramSocket> sockets = opened.join();
        CompletableFuture<Boolean> read = new CompletableFuture<>();
        loop.execute(() -> read.complete(true));
        assertThat(read.get(TIMEOUT, TimeUnit.MILLISECONDS)).isTrue();
        return sockets;
    }

    private static List<DatagramSocket> withAPacketEach() {
        List<DatagramSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < SOCKETS; i++) {
                DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                sockets.add(socket);
                socket.send(new DatagramPacket(new byte[1], 1, socket.getLocalSocketAddress()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sockets;
    }
}
