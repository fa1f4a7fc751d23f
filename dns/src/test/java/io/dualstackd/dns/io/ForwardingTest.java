package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ForwardingTest extends ForwardingFixture {
    @Test
    void otherNamesAreForwardedAndCached() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        NettyCodec.Read read = TestClient.udp(address, "Www.example.com", "A");
        assertThat(read.code()).isEqualTo("NoError");
        assertThat(read.authoritative()).isFalse();
        assertThat(read.recursionAvailable()).isTrue();
        assertThat(read.question()).isEqualTo("Www.example.com. A");
        assertThat(read.answers()).containsExactly("Www.example.com. 60 A 192.0.2.1");

        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(TestClient.udp(address, "wwW.example.com", "A").answers())
                .containsExactly("wwW.example.com. 1 A 192.0.2.1");
        assertThat(TestClient.tcp(address, "www.example.com", "A").answers()).hasSize(1);
        assertThat(upstream.queries).hasSize(1);

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(TestClient.udp(address, "www.example.com", "A").answers())
                .containsExactly("www.example.com. 60 A 192.0.2.1");
        assertThat(upstream.queries).hasSize(2);
        assertThat(figures().cached()).isEqualTo(2);
        assertThat(figures().forwarded()).isEqualTo(2);
        assertThat(figures().underway()).isZero();
    }

    @Test
    void ownZoneIsNeverForwarded() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        assertThat(TestClient.udp(address, "nothing.cluster.local", "A").code()).isEqualTo("NXDomain");
        assertThat(TestClient.udp(address, "99.0.96.10.in-addr.arpa", "PTR").code())
                .isEqualTo("NXDomain");
        assertThat(upstream.queries).isEmpty();
        assertThat(TestClient.udp(address, "1.2.0.192.in-addr.arpa", "PTR").code())
                .isEqualTo("NoError");
        assertThat(upstream.queries).hasSize(1);
    }

    @Test
    void negativeAnswerIsCachedAsLongAsTheSoaSpecifies() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(query -> missing(30)));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        for (int seconds : List.of(0, 29, 1)) {
            nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
            NettyCodec.Read read = TestClient.udp(address, "nothing.example.com", "A");
            assertThat(read.code()).isEqualTo("NXDomain");
            assertThat(read.authority()).hasSize(1);
        }
        assertThat(upstream.queries).hasSize(2);
    }

    @Test
    void anAliasBringsTheAnswerOfOthers() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        NettyCodec.Read read = TestClient.udp(address, "outside.default.svc.cluster.local", "A");
        assertThat(read.authoritative()).isTrue();
        assertThat(read.answers())
                .containsExactly(
                        "outside.default.svc.cluster.local. 5 CNAME www.example.com.",
                        "www.example.com. 60 A 192.0.2.1");
        upstream.answer(query -> List.of(TestResolver.message(query, missing(0))));
        assertThat(TestClient.udp(address, "outside.default.svc.cluster.local", "AAAA"))
                .satisfies(empty -> {
                    assertThat(empty.code()).isEqualTo("NoError");
                    assertThat(empty.answers()).hasSize(1);
                });
        upstream.answer(query -> List.of(TestResolver.message(query, DnsAnswer.failure(DnsResponseCode.SERVFAIL))));
        assertThat(TestClient.udp(address, "outside.default.svc.cluster.local", "AAAA")
                        .code())
                .isEqualTo("ServFail");
    }

    @Test
    void equalQuestionsAreForwardedOnce() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            awaitLatch(hold);
            return List.of(TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(address);
            client.setSoTimeout(60_000);
            for (int id = 1; id <= 5; id++) {
                TestClient.send(client, NettyCodec.query(id, "Same.example.com", "A", 0));
            }
            await().until(() -> figures().underway() == 5);
            hold.countDown();
            for (int i = 0; i < 5; i++) {
                assertThat(NettyCodec.read(TestClient.receive(client)).answers())
                        .hasSize(1);
            }
        }
        assertThat(upstream.queries).hasSize(1);
        await().until(() -> figures().underway() == 0);
    }

    @Test
    void aClientHasSoManyQuestionsUnderWayAndNoMore() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            awaitLatch(hold);
            return List.of(TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(LONG, 1, 3, 4, upstream.nameserver()));
        try (DatagramSocket client = new DatagramSocket();
                DatagramSocket other = new DatagramSocket(new InetSocketAddress("127.0.0.2", 0))) {
            for (DatagramSocket socket : List.of(client, other)) {
                socket.connect(address);
                socket.setSoTimeout(60_000);
            }
            for (int id = 1; id <= 4; id++) {
                TestClient.send(client, NettyCodec.query(id, "x" + id + ".example.com", "A", 0));
            }
            // The fourth is turned away, while the others wait.
            NettyCodec.Read fourth = NettyCodec.read(TestClient.receive(client));
            assertThat(fourth.id()).isEqualTo(4);
            assertThat(fourth.code()).isEqualTo("Refused");
            // Names of ours are answered all the same.
            TestClient.send(client, NettyCodec.query(9, "web.default.svc.cluster.local", "A", 0));
            assertThat(NettyCodec.read(TestClient.receive(client)).id()).isEqualTo(9);
            // Another client has the last place, and then there is none.
            TestClient.send(other, NettyCodec.query(11, "y1.example.com", "A", 0));
            TestClient.send(other, NettyCodec.query(12, "y2.example.com", "A", 0));
            NettyCodec.Read second = NettyCodec.read(TestClient.receive(other));
            assertThat(second.id()).isEqualTo(12);
            assertThat(second.code()).isEqualTo("ServFail");
            assertThat(figures().overLimit()).isEqualTo(2);
            hold.countDown();
            for (int i = 0; i < 3; i++) {
                assertThat(NettyCodec.read(TestClient.receive(client)).answers())
                        .hasSize(1);
            }
            assertThat(NettyCodec.read(TestClient.receive(other)).answers()).hasSize(1);
            TestClient.send(client, NettyCodec.query(13, "z.example.com", "A", 0));
            assertThat(NettyCodec.read(TestClient.receive(client)).answers()).hasSize(1);
        }
    }

    @Test
    void resolversCanBeReplaced() throws IOException {
        TestResolver first = resolver(TestResolver.of(ForwardingFixture::address));
        TestResolver second = resolver(TestResolver.of(query -> answer(query, 60, "192.0.2.2")));
        InetSocketAddress address = open(settings(first.nameserver()));
        assertThat(TestClient.udp(address, "a.example.com", "A").answers()).hasSize(1);
        server().nameservers(List.of(second.nameserver()));
        assertThat(figures().errors()).isZero();
        assertThat(TestClient.udp(address, "b.example.com", "A").answers())
                .containsExactly("b.example.com. 60 A 192.0.2.2");
        server().nameservers(List.of());
        assertThat(figures().errors()).isZero();
        assertThat(TestClient.udp(address, "c.example.com", "A")).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo("Refused");
            assertThat(refused.recursionAvailable()).isFalse();
        });
        assertThat(first.queries).hasSize(1);
        assertThat(second.queries).hasSize(1);
    }

    /** Resolvers of another network may have other addresses for the same name, or know names that these do not. */
    @Test
    void answersOfFormerResolversAreForgotten() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        TestResolver first = resolver(new TestResolver("127.0.0.1", query -> {
            if (query.question().name().toString().startsWith("late.")) {
                awaitLatch(hold);
            }
            return List.of(TestResolver.message(query, address(query)));
        }));
        TestResolver second = resolver(TestResolver.of(query -> answer(query, 60, "192.0.2.2")));
        InetSocketAddress address = open(settings(first.nameserver()));
        assertThat(TestClient.udp(address, "a.example.com", "A").answers())
                .containsExactly("a.example.com. 60 A 192.0.2.1");
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(address);
            client.setSoTimeout(20_000);
            TestClient.send(client, NettyCodec.query(1, "late.example.com", "A", 0));
            await().until(() -> figures().underway() == 1);

            server().nameservers(List.of(second.nameserver()));
            assertThat(figures().remembered()).isZero();
            assertThat(TestClient.udp(address, "a.example.com", "A").answers())
                    .containsExactly("a.example.com. 60 A 192.0.2.2");
            assertThat(TestClient.udp(address, "late.example.com", "A").answers())
                    .containsExactly("late.example.com. 60 A 192.0.2.2");
            hold.countDown();
            assertThat(NettyCodec.read(TestClient.receive(client)).answers())
                    .containsExactly("late.example.com. 60 A 192.0.2.1");
        }
        assertThat(TestClient.udp(address, "late.example.com", "A").answers())
                .containsExactly("late.example.com. 60 A 192.0.2.2");
        assertThat(figures().underway()).isZero();
    }

    @Test
    void theServerDoesNotAskItself() throws IOException {
        InetSocketAddress address = open(settings());
        server().nameservers(List.of(new Nameserver(Ip.parse("127.0.0.1"), "", address.getPort())));
        assertThat(TestClient.udp(address, "www.example.com", "A").code()).isEqualTo("Refused");
    }

    /** As when a resolver asks this server again, or packets to it are sent back here. */
    @Test
    void forwardingLoopIsDetected() throws IOException {
        AtomicReference<InetSocketAddress> address = new AtomicReference<>();
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            try {
                InetSocketAddress server = Objects.requireNonNull(address.get());
                return List.of(TestClient.udp(
                        server,
                        NettyCodec.query(query.id(), query.question().name().toString(), "A", 1232)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }));
        Duration timeout = Duration.ofMillis(200);
        address.set(open(settings(timeout, 1, 100, 500, upstream.nameserver())));
        // The client's question, and the same one from the resolver.
        assertThat(askPastSilence(
                                address.get(),
                                "www.example.com",
                                timeout,
                                () -> figures().underway(),
                                2)
                        .code())
                .isEqualTo("ServFail");
        assertThat(upstream.queries).hasSize(1);
        await().until(() -> figures().underway() == 0);
    }

    @Test
    void aConnectionThatWaitsForAnAnswerIsNotIdle() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            awaitLatch(hold);
            return List.of(TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()), Duration.ofMillis(50));
        try (TestClient.Tcp waiting = new TestClient.Tcp(address);
                TestClient.Tcp idle = new TestClient.Tcp(address)) {
            waiting.send(NettyCodec.query(1, "www.example.com", "A", 0));
            await().until(() -> figures().underway() == 1 && figures().connections() == 2);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            // Its turn comes after the other's.
            assertThat(idle.isClosedByServer()).isTrue();
            hold.countDown();
            assertThat(NettyCodec.read(waiting.receive()).answers()).hasSize(1);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(waiting.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aClientThatHasEndedItsDirectionGetsItsAnswers() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            awaitLatch(hold);
            return List.of(TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        try (TestClient.Tcp tcp = new TestClient.Tcp(address)) {
            tcp.send(NettyCodec.query(1, "www.example.com", "A", 0));
            tcp.send(NettyCodec.query(2, "www.example.org", "A", 0));
            tcp.socket.shutdownOutput();
            await().until(() -> figures().underway() == 2);
            // The server has seen the end before it answers this.
            assertThat(TestClient.udp(address, "nothing.cluster.local", "A").code())
                    .isEqualTo("NXDomain");
            hold.countDown();
            String first = NettyCodec.read(tcp.receive()).question();
            String second = NettyCodec.read(tcp.receive()).question();
            assertThat(List.of(first, second)).containsExactlyInAnyOrder("www.example.com. A", "www.example.org. A");
            assertThat(tcp.isClosedByServer()).isTrue();
        }
        await().until(() -> figures().connections() == 0);
    }

    @Test
    void resolversMayHaveIpv6Addresses() throws IOException {
        TestResolver upstream =
                resolver(new TestResolver("::1", query -> List.of(TestResolver.message(query, address(query)))));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        assertThat(TestClient.udp(address, "www.example.com", "A").answers()).hasSize(1);
    }

    @Test
    void doesNotForwardWithoutRecursionDesired() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        byte[] query = NettyCodec.query(1, "www.example.com", "A", 0);
        query[2] = 0;
        assertThat(NettyCodec.read(TestClient.udp(address, query)).code()).isEqualTo("Refused");
        assertThat(upstream.queries).isEmpty();
    }

    @Test
    void setsAuthenticDataOnRequest() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        byte[] plain = NettyCodec.query(1, "www.example.com", "A", 0);
        assertThat(TestClient.udp(address, plain)[3] & 0x20).isZero();
        byte[] curious = plain.clone();
        curious[3] |= 0x20;
        assertThat(TestClient.udp(address, curious)[3] & 0x20).isEqualTo(0x20);
    }

    /** RFC 6840, 5.8: resolvers set the bit only for those that set it, or {@code DO}. */
    @Test
    void authenticDataIsRequestedOfResolvers() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(query -> {
            DnsAnswer answer = address(query);
            return new DnsAnswer(
                    answer.code(),
                    false,
                    query.authenticData(),
                    answer.answers(),
                    answer.authority(),
                    answer.additional());
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        byte[] plain = NettyCodec.query(1, "www.example.com", "A", 0);
        byte[] curious = plain.clone();
        curious[3] |= 0x20;
        assertThat(TestClient.udp(address, curious)[3] & 0x20).isEqualTo(0x20);
        assertThat(TestClient.udp(address, plain)[3] & 0x20).isZero();
    }
}
