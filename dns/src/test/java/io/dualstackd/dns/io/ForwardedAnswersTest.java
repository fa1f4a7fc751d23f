package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.Edns;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which answers of other resolvers are taken, and which resolver is asked next. */
@Tag("slow")
final class ForwardedAnswersTest extends ForwardingFixture {
    @Test
    void eachQuestionHasItsOwnPortAndId() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        for (int i = 0; i < 40; i++) {
            assertThat(TestClient.udp(address, "x" + i + ".example.com", "A").answers())
                    .hasSize(1);
        }
        Set<Integer> ids = new HashSet<>();
        upstream.queries.forEach(query -> ids.add(query.id()));
        // Two equal ones of 40 are possible, more are not chance.
        assertThat(ids).hasSizeGreaterThan(36);
        assertThat(new HashSet<>(upstream.ports)).hasSizeGreaterThan(36);
        assertThat(upstream.queries).allSatisfy(query -> {
            assertThat(query.recursionDesired()).isTrue();
            assertThat(query.edns()).contains(new Edns(1232, false));
        });
    }

    @Test
    void ignoresForgedAnswers() throws IOException {
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            DnsQuery otherId = new DnsQuery(query.id() ^ 1, true, false, false, query.question(), query.edns());
            DnsQuery otherName = new DnsQuery(
                    query.id(),
                    true,
                    false,
                    false,
                    new DnsQuestion(DnsName.parse("other.example.com"), DnsRecordType.A),
                    query.edns());
            DnsQuery otherType = new DnsQuery(
                    query.id(),
                    true,
                    false,
                    false,
                    new DnsQuestion(query.question().name(), DnsRecordType.AAAA),
                    query.edns());
            byte[] broken = TestResolver.message(query, answer(query, 60, "203.0.113.9"));
            broken[broken.length - 1 - 11 - 4] ^= 0x40;
            return List.of(
                    TestResolver.message(otherId, answer(query, 60, "203.0.113.1")),
                    TestResolver.message(otherName, answer(query, 60, "203.0.113.2")),
                    TestResolver.message(otherType, answer(query, 60, "203.0.113.3")),
                    new byte[] {1, 2, 3},
                    broken,
                    TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        assertThat(TestClient.udp(address, "www.example.com", "A").answers())
                .containsExactly("www.example.com. 60 A 192.0.2.1");
    }

    @Test
    void ignoresAnswerFromAnotherAddress() throws IOException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch forged = new CountDownLatch(1);
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> {
            asked.countDown();
            awaitLatch(forged);
            return List.of(TestResolver.message(query, address(query)));
        }));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        try (DatagramSocket client = new DatagramSocket();
                DatagramSocket forger = new DatagramSocket()) {
            client.connect(address);
            client.setSoTimeout(60_000);
            TestClient.send(client, NettyCodec.query(5, "www.example.com", "A", 0));
            awaitLatch(asked);
            await().until(() -> !upstream.ports.isEmpty());
            DnsQuery query = upstream.queries.getFirst();
            forger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), upstream.ports.getFirst()));
            TestClient.send(forger, TestResolver.message(query, answer(query, 60, "203.0.113.66")));
            forged.countDown();
            assertThat(NettyCodec.read(TestClient.receive(client)).answers())
                    .containsExactly("www.example.com. 60 A 192.0.2.1");
        }
    }

    @Test
    void silentResolverIsTriedLastForAWhile() throws IOException {
        TestResolver silent = resolver(new TestResolver("127.0.0.1", query -> List.of()));
        TestResolver second = resolver(TestResolver.of(ForwardingFixture::address));
        Duration timeout = Duration.ofMillis(100);
        InetSocketAddress address = open(settings(timeout, 1, 100, 500, silent.nameserver(), second.nameserver()));
        assertThat(askPastSilence(address, "a.example.com", timeout, silent.queries::size, 1)
                        .answers())
                .hasSize(1);
        assertThat(silent.queries).hasSize(1);
        assertThat(TestClient.udp(address, "b.example.com", "A").answers()).hasSize(1);
        assertThat(silent.queries).hasSize(1);
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        silent.answer(query -> List.of(TestResolver.message(query, address(query))));
        assertThat(TestClient.udp(address, "c.example.com", "A").answers()).hasSize(1);
        assertThat(silent.queries).hasSize(2);
        assertThat(second.queries).hasSize(2);
    }

    /** Otherwise a long list of dead ones would hold a question, and its share of all, for minutes. */
    @Test
    void oneQuestionTriesSoManyResolversAndTheNextOneTheOthers() throws IOException {
        List<Nameserver> dead = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            dead.add(resolver(new TestResolver("127.0.0.1", query -> List.of())).nameserver());
        }
        dead.add(resolver(TestResolver.of(ForwardingFixture::address)).nameserver());
        Duration timeout = Duration.ofMillis(20);
        InetSocketAddress address = open(settings(timeout, 2, 100, 500, dead.toArray(Nameserver[]::new)));
        IntSupplier received =
                () -> resolvers.stream().mapToInt(each -> each.queries.size()).sum();
        assertThat(askPastSilence(address, "a.example.com", timeout, received, 1, 2, 3, 4, 5, 6)
                        .code())
                .isEqualTo("ServFail");
        assertThat(received.getAsInt()).isEqualTo(6);
        assertThat(askPastSilence(address, "b.example.com", timeout, received, 7, 8, 9)
                        .answers())
                .hasSize(1);
    }

    @Test
    void aResolverThatFailsIsFollowedByTheNext() throws IOException {
        TestResolver failing = resolver(TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.SERVFAIL)));
        TestResolver gone = TestResolver.of(ForwardingFixture::address);
        Nameserver closed = gone.nameserver();
        gone.close();
        TestResolver good = resolver(TestResolver.of(ForwardingFixture::address));
        InetSocketAddress address = open(settings(failing.nameserver(), closed, good.nameserver()));
        assertThat(TestClient.udp(address, "a.example.com", "A").answers()).hasSize(1);
        assertThat(failing.queries).hasSize(1);
    }

    @Test
    void whenNoneAnswersItFails() throws IOException {
        TestResolver refusing = resolver(TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.REFUSED)));
        InetSocketAddress address = open(settings(Duration.ofMillis(200), 2, 100, 500, refusing.nameserver()));
        assertThat(TestClient.udp(address, "a.example.com", "A").code()).isEqualTo("Refused");
        assertThat(refusing.queries).hasSize(2);
        assertThat(figures().resolversSilent()).isFalse();
        refusing.answer(query -> List.of());
        refusing.close();
        assertThat(TestClient.udp(address, "b.example.com", "A").code()).isEqualTo("ServFail");
        assertThat(figures().failed()).isEqualTo(2);
        assertThat(figures().resolversSilent()).isTrue();
        // Failures are not remembered.
        assertThat(figures().remembered()).isZero();
    }

    @Test
    void retriesTruncatedAnswerOverTcp() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingFixture::address));
        upstream.answer(query -> {
            byte[] cut = TestResolver.message(query, address(query));
            cut[2] |= 0x02;
            return List.of(cut);
        });
        upstream.answerTcp(query -> {
            List<DnsRecord> many = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                many.add(record(query.question().name(), 60, "192.0.2." + i));
            }
            return new DnsAnswer(DnsResponseCode.NOERROR, false, false, many, List.of(), List.of());
        });
        InetSocketAddress address = open(settings(upstream.nameserver()));
        assertThat(TestClient.udp(address, "many.example.com", "A").truncated()).isTrue();
        NettyCodec.Read whole = TestClient.tcp(address, "many.example.com", "A");
        assertThat(whole.answers()).hasSize(200);
        assertThat(upstream.tcpQueries).hasSize(1);
    }

    /** Two records, of which the second one is incomplete. */
    private static byte[] cut(DnsQuery query) {
        DnsRecord record = record(query.question().name(), 60, "192.0.2.1");
        byte[] whole = TestResolver.message(
                query,
                new DnsAnswer(DnsResponseCode.NOERROR, false, false, List.of(record, record), List.of(), List.of()));
        byte[] cut = Arrays.copyOf(whole, whole.length - (query.edns().isPresent() ? 11 : 0) - 2);
        cut[2] |= 0x02;
        return cut;
    }

    /** A firewall may let only UDP through. Asked twice, the resolver would take longer than clients wait. */
    @Test
    void aResolverThatAnswersOnlyOverUdpIsNotSilent() throws IOException {
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> List.of(cut(query))));
        Duration timeout = Duration.ofMillis(100);
        InetSocketAddress address = open(settings(timeout, 2, 100, 500, upstream.nameserver()));
        NettyCodec.Read read = askPastSilence(address, "many.example.com", timeout, upstream.tcpQueries::size, 1);
        assertThat(read.code()).isEqualTo("NoError");
        assertThat(read.truncated()).isTrue();
        assertThat(upstream.queries).hasSize(1);
        assertThat(figures().resolversSilent()).isFalse();
    }

    /** As from dnsmasq and CoreDNS: many clients take what there is, and all others ask again over TCP. */
    @Test
    void withoutTcpTheTruncatedAnswerIsBetterThanNone() throws IOException {
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> List.of(cut(query))));
        TestResolver failing = resolver(TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.REFUSED)));
        upstream.closeTcp();
        InetSocketAddress address = open(settings(upstream.nameserver(), failing.nameserver()));
        NettyCodec.Read read = TestClient.udp(address, "many.example.com", "A");
        assertThat(read.code()).isEqualTo("NoError");
        assertThat(read.truncated()).isTrue();
        assertThat(read.answers()).containsExactly("many.example.com. 60 A 192.0.2.1");
        // Over TCP nobody expects an answer to be incomplete.
        NettyCodec.Read overTcp = TestClient.tcp(address, "many.example.com", "A");
        assertThat(overTcp.code()).isEqualTo("ServFail");
        assertThat(overTcp.answers()).isEmpty();
        assertThat(failing.queries).hasSize(2);

        TestResolver good = resolver(TestResolver.of(ForwardingFixture::address));
        server().nameservers(List.of(upstream.nameserver(), good.nameserver()));
        // Also waits until the resolvers are in use.
        assertThat(figures().remembered()).isZero();
        NettyCodec.Read whole = TestClient.udp(address, "many.example.com", "A");
        assertThat(whole.truncated()).isFalse();
        assertThat(whole.answers()).hasSize(1);
    }

    @Test
    void theTargetOfAnAliasMayBeTruncated() throws IOException {
        TestResolver upstream = resolver(new TestResolver("127.0.0.1", query -> List.of(cut(query))));
        upstream.closeTcp();
        InetSocketAddress address = open(settings(upstream.nameserver()));
        NettyCodec.Read read = TestClient.udp(address, "outside.default.svc.cluster.local", "A");
        assertThat(read.truncated()).isTrue();
        assertThat(read.answers())
                .containsExactly(
                        "outside.default.svc.cluster.local. 5 CNAME www.example.com.",
                        "www.example.com. 60 A 192.0.2.1");
        assertThat(TestClient.tcp(address, "outside.default.svc.cluster.local", "A")
                        .code())
                .isEqualTo("ServFail");
    }

    @Test
    void retriesWithoutEdns() throws IOException {
        // One answers with the question, the other with a header alone.
        for (boolean header : List.of(false, true)) {
            TestResolver old = resolver(new TestResolver("127.0.0.1", query -> {
                if (query.edns().isEmpty()) {
                    return List.of(TestResolver.message(query, address(query)));
                }
                DnsQuery bare = new DnsQuery(query.id(), true, false, false, query.question(), Optional.empty());
                byte[] refusal = TestResolver.message(bare, DnsAnswer.failure(DnsResponseCode.FORMERR));
                if (header) {
                    refusal = Arrays.copyOf(refusal, 12);
                    refusal[5] = 0;
                }
                return List.of(refusal);
            }));
            InetSocketAddress address = open(settings(old.nameserver()));
            assertThat(TestClient.udp(address, "www.example.com", "A", 1232).answers())
                    .hasSize(1);
            assertThat(old.queries).hasSize(2);
            server().close();
        }
    }

    /** Its lower bits alone say NOERROR, and that is all a client without EDNS reads. */
    @Test
    void aCodeThatOnlyEdnsCanExpressIsAFailure() throws IOException {
        TestResolver odd = resolver(TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.BADVERS_OR_BADSIG)));
        InetSocketAddress address = open(settings(odd.nameserver()));
        assertThat(TestClient.udp(address, "a.example.com", "A").code()).isEqualTo("ServFail");
        assertThat(TestClient.udp(address, "a.example.com", "A", 1232).code()).isEqualTo("ServFail");
    }
}
