package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dns.DnsFigures;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.Edns;
import io.dualstackd.dns.message.RecordData;
import io.dualstackd.netlink.ip.Ip;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ForwardingTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final List<TestResolver> resolvers = new ArrayList<>();
    private @Nullable DnsServer opened;

    @AfterEach
    void close() throws IOException {
        if (opened != null) {
            opened.close();
        }
        for (TestResolver resolver : resolvers) {
            resolver.close();
        }
    }

    private TestResolver resolver(TestResolver resolver) {
        resolvers.add(resolver);
        return resolver;
    }

    /** Knows every name. */
    private static DnsAnswer address(DnsQuery query) {
        return answer(query, 60, "192.0.2.1");
    }

    private static DnsAnswer answer(DnsQuery query, int ttl, String address) {
        return new DnsAnswer(
                DnsResponseCode.NOERROR,
                false,
                true,
                List.of(record(query.question().name(), ttl, address)),
                List.of(),
                List.of());
    }

    private static DnsRecord record(DnsName owner, int ttl, String address) {
        return new DnsRecord(owner, DnsRecordType.A, ttl, new RecordData.Address(Ip.parse(address)));
    }

    private static DnsAnswer missing(int minimum) {
        DnsName zone = DnsName.parse("example.com");
        DnsRecord soa = new DnsRecord(
                zone, DnsRecordType.SOA, 3_600, new RecordData.Authority(zone, zone, 1, 2, 3, 4, minimum));
        return new DnsAnswer(DnsResponseCode.NXDOMAIN, false, false, List.of(), List.of(soa), List.of());
    }

    private InetSocketAddress open(ForwardSettings settings) throws IOException {
        return open(settings, Duration.ofMinutes(10));
    }

    private InetSocketAddress open(ForwardSettings settings, Duration idle) throws IOException {
        ServerSettings all = new ServerSettings(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                false,
                idle,
                20,
                200,
                SampleCluster.settings(),
                settings);
        DnsServer server = DnsServer.open(all, DnsSupervision.NONE, nanos::get);
        opened = server;
        server.apply(SampleCluster.change());
        // The thread does one thing after the other: the names are there.
        assertThat(figures().services()).isPositive();
        return server.addresses().getFirst();
    }

    private static ForwardSettings settings(
            Duration timeout, int rounds, int perClient, int atOnce, Nameserver... servers) {
        ForwardSettings usual = ForwardSettings.defaults(List.of(servers));
        return new ForwardSettings(
                usual.nameservers(),
                timeout,
                rounds,
                perClient,
                atOnce,
                usual.cacheBytes(),
                usual.longestTtl(),
                usual.longestDenial());
    }

    private static ForwardSettings settings(Nameserver... servers) {
        return settings(LONG, 1, 100, 500, servers);
    }

    private DnsServer server() {
        return Objects.requireNonNull(opened);
    }

    private DnsFigures figures() {
        return server().figures().join();
    }

    /**
     * Asks a question while resolvers are silent: the time of an attempt passes, on the server's clock, once the resolver has the question.
     *
     * @param received a number that tells whether it has
     * @param silent its values then, one for each attempt that is not answered
     */
    private NettyCodec.Read askPastSilence(
            InetSocketAddress server, String name, Duration timeout, IntSupplier received, int... silent)
            throws IOException {
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(server);
            client.setSoTimeout(60_000);
            TestClient.send(client, NettyCodec.query(1, name, "A", 0));
            for (int number : silent) {
                await().until(() -> received.getAsInt() == number);
                nanos.addAndGet(timeout.toNanos());
            }
            return NettyCodec.read(TestClient.receive(client));
        }
    }

    @Test
    void otherNamesAreForwardedAndCached() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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
    void eachQuestionHasItsOwnPortAndId() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void silentResolverIsTriedLastForAWhile() throws IOException {
        TestResolver silent = resolver(new TestResolver("127.0.0.1", query -> List.of()));
        TestResolver second = resolver(TestResolver.of(ForwardingTest::address));
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
        dead.add(resolver(TestResolver.of(ForwardingTest::address)).nameserver());
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
        TestResolver gone = TestResolver.of(ForwardingTest::address);
        Nameserver closed = gone.nameserver();
        gone.close();
        TestResolver good = resolver(TestResolver.of(ForwardingTest::address));
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
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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

    /** A firewall may let only UDP through. */
    @Test
    void aResolverThatAnswersOnlyOverUdpIsNotSilent() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
        upstream.answer(query -> {
            byte[] cut = TestResolver.message(query, address(query));
            cut[2] |= 0x02;
            return List.of(cut);
        });
        Duration timeout = Duration.ofMillis(100);
        InetSocketAddress address = open(settings(timeout, 1, 100, 500, upstream.nameserver()));
        assertThat(askPastSilence(address, "many.example.com", timeout, upstream.tcpQueries::size, 1)
                        .code())
                .isEqualTo("ServFail");
        assertThat(figures().resolversSilent()).isFalse();
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

    @Test
    void resolversCanBeReplaced() throws IOException {
        TestResolver first = resolver(TestResolver.of(ForwardingTest::address));
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
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
        InetSocketAddress address = open(settings(upstream.nameserver()));
        byte[] query = NettyCodec.query(1, "www.example.com", "A", 0);
        query[2] = 0;
        assertThat(NettyCodec.read(TestClient.udp(address, query)).code()).isEqualTo("Refused");
        assertThat(upstream.queries).isEmpty();
    }

    @Test
    void setsAuthenticDataOnRequest() throws IOException {
        TestResolver upstream = resolver(TestResolver.of(ForwardingTest::address));
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
