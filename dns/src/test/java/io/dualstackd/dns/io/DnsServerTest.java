package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsFigures;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.io.TestClient.Tcp;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.random.Tries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class DnsServerTest {
    private static final String WEB = "web.default.svc.cluster.local";

    private static final Duration IDLE = Duration.ofMinutes(10);

    /** Advances only when a test calls for it. */
    private final AtomicLong nanos = new AtomicLong();

    private DnsServer server;

    private static ServerSettings settings(Duration idle, int perClient, String... listen) {
        return new ServerSettings(
                Stream.of(listen)
                        .map(address -> new InetSocketAddress(address, 0))
                        .toList(),
                false,
                idle,
                perClient,
                200,
                SampleCluster.settings(),
                ForwardSettings.defaults(List.of()));
    }

    private void restart(ServerSettings settings, DnsSupervision supervision) throws IOException {
        server.close();
        server = DnsServer.open(settings, supervision, nanos::get);
        apply(SampleCluster.change());
    }

    @BeforeEach
    void open() throws IOException {
        server = DnsServer.open(settings(IDLE, 20, "127.0.0.1", "::1"), DnsSupervision.NONE, nanos::get);
        apply(SampleCluster.change());
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** And waits until it is done: the thread does one thing after the other. */
    private void apply(ZoneChange change) {
        server.apply(change);
        assertThat(figures().services()).isPositive();
    }

    private InetSocketAddress address() {
        return server.addresses().getFirst();
    }

    private DnsFigures figures() {
        return server.figures().join();
    }

    @Test
    void answersOverBothProtocolsAndBothFamilies() throws IOException {
        assertThat(server.addresses()).hasSize(2);
        for (InetSocketAddress address : server.addresses()) {
            for (NettyCodec.Read read :
                    List.of(TestClient.udp(address, WEB, "AAAA"), TestClient.tcp(address, WEB, "AAAA"))) {
                assertThat(read.id()).isEqualTo(4711);
                assertThat(read.code()).isEqualTo("NoError");
                assertThat(read.authoritative()).isTrue();
                assertThat(read.recursionAvailable()).isFalse();
                assertThat(read.question()).isEqualTo(WEB + ". AAAA");
                assertThat(read.answers()).containsExactly(WEB + ". 5 AAAA fd00:96::10");
            }
        }
        assertThat(figures().udpQueries()).isEqualTo(2);
        assertThat(figures().tcpQueries()).isEqualTo(2);
    }

    @Test
    void theQuestionComesBackInItsCase() throws IOException {
        NettyCodec.Read read = TestClient.udp(address(), "wEB.Default.svc.cluster.lOcal", "A");
        assertThat(read.question()).isEqualTo("wEB.Default.svc.cluster.lOcal. A");
        assertThat(read.answers()).containsExactly("wEB.Default.svc.cluster.lOcal. 5 A 10.96.0.10");
        assertThat(TestClient.udp(address(), "x.Cluster.local", "A").authority().getFirst())
                .startsWith("Cluster.local. 5 SOA");
    }

    @Test
    void refusesOtherZonesWithoutResolvers() throws IOException {
        assertThat(TestClient.udp(address(), "example.com", "A").code()).isEqualTo("Refused");
        // The alias is ours, what it leads to is not.
        assertThat(TestClient.udp(address(), "outside.default.svc.cluster.local", "A")
                        .answers())
                .containsExactly("outside.default.svc.cluster.local. 5 CNAME www.example.com.");
    }

    private DnsService large(int count) {
        DnsEndpoint[] endpoints = IntStream.range(0, count)
                .mapToObj(i -> new DnsEndpoint(new Ip.V4(0x0af40000 + i), Optional.empty(), true))
                .toArray(DnsEndpoint[]::new);
        return new DnsService(
                new ServiceName("default", "large"),
                new DnsService.Kind.Headless(),
                List.of(),
                false,
                List.of(SampleCluster.slice(List.of(SampleCluster.port("p", 1)), endpoints)));
    }

    @Test
    void longAnswersAreCutOverUdpAndWholeOverTcp() throws IOException {
        apply(SampleCluster.change(false, large(1_000)));
        String name = "large.default.svc.cluster.local";
        int question = 12 + name.length() + 2 + 4;

        NettyCodec.Read plain = TestClient.udp(address(), name, "A");
        assertThat(plain.truncated()).isTrue();
        assertThat(plain.answers()).hasSize((512 - question) / 16);

        NettyCodec.Read extended = TestClient.udp(address(), name, "A", 1232);
        assertThat(extended.truncated()).isTrue();
        assertThat(extended.answers()).hasSize((1232 - question - 11) / 16);
        assertThat(extended.additional()).hasSize(1);

        // More than the server ever sends over UDP, and less than every client must take.
        assertThat(TestClient.udp(address(), name, "A", 65_535).answers()).hasSameSizeAs(extended.answers());
        assertThat(TestClient.udp(address(), name, "A", 100).answers()).hasSize((512 - question - 11) / 16);

        NettyCodec.Read whole = TestClient.tcp(address(), name, "A");
        assertThat(whole.truncated()).isFalse();
        assertThat(whole.answers()).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(figures().truncated()).isEqualTo(4);
    }

    @Test
    void anAnswerThatIsTooLongForTcpIsCutThereToo() throws IOException {
        apply(SampleCluster.change(false, large(5_000)));
        NettyCodec.Read read = TestClient.tcp(address(), "large.default.svc.cluster.local", "A");
        assertThat(read.truncated()).isTrue();
        assertThat(read.answers()).hasSizeGreaterThan(4_000);
    }

    @Test
    void questionsOfOneConnectionAreAllAnswered() throws IOException {
        try (Tcp tcp = new Tcp(address())) {
            for (int id = 1; id <= 300; id++) {
                tcp.send(NettyCodec.query(id, WEB, "A", 0));
            }
            for (int id = 1; id <= 300; id++) {
                assertThat(NettyCodec.read(tcp.receive()).id()).isEqualTo(id);
            }
        }
    }

    @Test
    void aQuestionMayComeByteByByte() throws IOException {
        try (Tcp tcp = new Tcp(address())) {
            tcp.socket.setTcpNoDelay(true);
            byte[] query = NettyCodec.query(9, WEB, "A", 0);
            tcp.raw(new byte[] {0});
            tcp.raw(new byte[] {(byte) query.length});
            for (byte b : query) {
                tcp.raw(new byte[] {b});
            }
            assertThat(NettyCodec.read(tcp.receive()).id()).isEqualTo(9);
        }
    }

    @Test
    void malformedPacketsAreAnsweredWithACodeOrNotAtAll() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address());
            socket.setSoTimeout(60_000);
            TestClient.send(socket, new byte[] {1, 2, 3});
            TestClient.send(socket, new byte[0]);
            byte[] answer = NettyCodec.query(2, WEB, "A", 0);
            answer[2] |= (byte) 0x80;
            TestClient.send(socket, answer);
            byte[] broken = NettyCodec.query(3, WEB, "A", 0);
            broken[12] = 63;
            TestClient.send(socket, broken);
            assertThat(NettyCodec.read(TestClient.receive(socket))).satisfies(read -> {
                assertThat(read.id()).isEqualTo(3);
                assertThat(read.code()).isEqualTo("FormErr");
            });
        }
        // Netty decides whether an empty packet is received at all.
        assertThat(figures().ignored()).isBetween(2L, 3L);
        assertThat(figures().refused()).isEqualTo(1);
        assertThat(figures().errors()).isZero();
    }

    @Test
    void survivesArbitraryInput() throws IOException {
        Tries.of(300, draw -> {
            byte[] query = NettyCodec.query(draw.upTo(65_535), WEB, "A", draw.one(0, 1232));
            for (int i = draw.upTo(8); i > 0; i--) {
                query[draw.upTo(query.length - 1)] = draw.aByte();
            }
            byte[] sent = draw.bool() ? query : draw.bytes(1_500);
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(address());
                TestClient.send(socket, sent);
            }
            try (Tcp tcp = new Tcp(address())) {
                tcp.raw(draw.bool() ? sent : TestClient.framed(sent));
            }
        });
        assertThat(TestClient.udp(address(), WEB, "A").answers()).hasSize(1);
        assertThat(figures().errors()).isZero();
        await().until(() -> figures().connections() == 0);
    }

    @Test
    void zoneTransfersAreRefused() throws IOException {
        assertThat(TestClient.udp(address(), "cluster.local", "AXFR").code()).isEqualTo("Refused");
        assertThat(TestClient.tcp(address(), "cluster.local", "AXFR").code()).isEqualTo("Refused");
    }

    @Test
    void closesConnectionThatSendsGarbage() throws IOException {
        try (Tcp tcp = new Tcp(address())) {
            tcp.send(new byte[] {1, 2, 3});
            assertThat(tcp.isClosedByServer()).isTrue();
        }
        try (Tcp tcp = new Tcp(address())) {
            tcp.raw(new byte[] {(byte) 0xff, (byte) 0xff, 0});
            assertThat(tcp.isClosedByServer()).isTrue();
        }
        await().until(() -> figures().connections() == 0);
    }

    @Test
    void anIdleConnectionIsClosedAndABusyOneIsNot() throws IOException {
        restart(settings(Duration.ofMillis(50), 20, "127.0.0.1"), DnsSupervision.NONE);
        try (Tcp idle = new Tcp(address());
                Tcp half = new Tcp(address())) {
            half.raw(new byte[] {0});
            // The clock stands: nothing is closed, however often it is looked at.
            half.raw(new byte[] {20});
            idle.send(NettyCodec.query(1, WEB, "A", 0));
            assertThat(NettyCodec.read(idle.receive()).id()).isEqualTo(1);
            assertThat(figures().connections()).isEqualTo(2);
            nanos.addAndGet(Duration.ofMillis(60).toNanos());
            assertThat(idle.isClosedByServer()).isTrue();
            assertThat(half.isClosedByServer()).isTrue();
        }
        await().until(() -> figures().connections() == 0);
    }

    @Test
    void aClientHasSoManyConnectionsAndNoMore() throws IOException {
        restart(settings(IDLE, 2, "127.0.0.1"), DnsSupervision.NONE);
        try (Tcp first = new Tcp(address());
                Tcp second = new Tcp(address())) {
            for (Tcp tcp : List.of(first, second)) {
                tcp.send(NettyCodec.query(1, WEB, "A", 0));
                assertThat(tcp.receive()).isNotEmpty();
            }
            try (Tcp third = new Tcp(address())) {
                assertThat(third.isClosedByServer()).isTrue();
            }
            assertThat(figures().overLimit()).isEqualTo(1);
        }
        await().until(() -> figures().connections() == 0);
        try (Tcp again = new Tcp(address())) {
            again.send(NettyCodec.query(1, WEB, "A", 0));
            assertThat(again.receive()).isNotEmpty();
        }
    }

    @Test
    void aClientThatDoesNotReadIsNotReadEither() throws IOException {
        restart(settings(Duration.ofMillis(50), 20, "127.0.0.1"), DnsSupervision.NONE);
        apply(SampleCluster.change(false, large(1_000)));
        byte[] query = TestClient.framed(NettyCodec.query(1, "large.default.svc.cluster.local", "A", 0));
        ByteArrayOutputStream queries = new ByteArrayOutputStream();
        // Their answers are 50 MB, more than the kernel keeps.
        for (int i = 0; i < 3_000; i++) {
            queries.writeBytes(query);
        }
        try (Tcp tcp = new Tcp(address())) {
            try {
                tcp.raw(queries.toByteArray());
            } catch (SocketException e) {
                // Closed before it had read all of them.
            }
            await().until(() -> {
                nanos.addAndGet(Duration.ofMillis(20).toNanos());
                return figures().tcpQueries() > 0 && figures().connections() == 0;
            });
        }
        assertThat(figures().tcpQueries()).isLessThan(3_000);
        assertThat(figures().errors()).isZero();
    }

    /** Answers may be much longer than questions; those of one packet are more than the server keeps for a client. */
    @Test
    void aClientThatAsksMuchAtOnceGetsEveryAnswer() throws IOException {
        apply(SampleCluster.change(false, large(1_000)));
        int questions = 600;
        ByteArrayOutputStream queries = new ByteArrayOutputStream();
        for (int id = 1; id <= questions; id++) {
            queries.writeBytes(TestClient.framed(NettyCodec.query(id, "large.default.svc.cluster.local", "A", 0)));
        }
        try (Tcp tcp = new Tcp(address())) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    tcp.raw(queries.toByteArray());
                    tcp.socket.shutdownOutput();
                } catch (IOException e) {
                    // The answers that are missing say it.
                }
            });
            List<Integer> answered = new ArrayList<>();
            for (int i = 0; i < questions; i++) {
                answered.add(NettyCodec.read(tcp.receive()).id());
            }
            assertThat(answered).doesNotHaveDuplicates();
            assertThat(tcp.isClosedByServer()).isTrue();
        }
        assertThat(figures().dropped()).isZero();
    }

    @Test
    void beforeTheServicesAreKnownItFails() throws IOException {
        try (DnsServer fresh = DnsServer.open(settings(IDLE, 20, "127.0.0.1"), DnsSupervision.NONE)) {
            InetSocketAddress address = fresh.addresses().getFirst();
            assertThat(TestClient.udp(address, WEB, "A").code()).isEqualTo("ServFail");
            fresh.apply(SampleCluster.change());
            assertThat(fresh.figures().join().services()).isPositive();
            assertThat(TestClient.udp(address, WEB, "A").code()).isEqualTo("NoError");
        }
    }

    @Test
    void itsThreadBeats() throws Exception {
        CountDownLatch beats = new CountDownLatch(3);
        restart(settings(IDLE, 20, "127.0.0.1"), new DnsSupervision() {
            @Override
            public void beat() {
                assertThat(Thread.currentThread().getName()).isEqualTo("dns");
                beats.countDown();
            }

            @Override
            public Duration every() {
                return Duration.ofMillis(10);
            }

            @Override
            public void failed(Error error) {}
        });
        assertThat(beats.await(1, TimeUnit.MINUTES)).isTrue();
    }

    /** Starts a server whose thread waits until {@code held} is counted down, once it is told to by what is returned. */
    private Runnable restartToWait(CountDownLatch held) throws IOException {
        CountDownLatch busy = new CountDownLatch(1);
        AtomicBoolean started = new AtomicBoolean();
        restart(settings(IDLE, 20, "127.0.0.1"), new DnsSupervision() {
            @Override
            public void beat() {
                if (started.get()) {
                    busy.countDown();
                    try {
                        assertThat(held.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }

            @Override
            public Duration every() {
                return Duration.ofMillis(10);
            }

            @Override
            public void failed(Error error) {}
        });
        return () -> {
            started.set(true);
            try {
                assertThat(busy.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** Questions that were received together are answered together, and their answers may be as long as UDP allows. */
    @Test
    void manyLongAnswersAtOnceAreAllSent() throws Exception {
        int questions = 64;
        CountDownLatch held = new CountDownLatch(1);
        Runnable waits = restartToWait(held);
        apply(SampleCluster.change(false, large(1_000)));
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(address());
            client.setSoTimeout(20_000);
            client.setReceiveBufferSize(1 << 20);
            waits.run();
            for (int id = 1; id <= questions; id++) {
                TestClient.send(client, NettyCodec.query(id, "large.default.svc.cluster.local", "A", 1232));
            }
            held.countDown();
            await().until(() -> figures().udpQueries() == questions);
            assertThat(figures().dropped()).isZero();
            for (int id = 1; id <= questions; id++) {
                assertThat(NettyCodec.read(TestClient.receive(client)).id()).isEqualTo(id);
            }
        }
    }

    /** Changes may come faster than they are applied; what a later one replaces is not kept in memory. */
    @Test
    void aChangeThatIsReplacedBeforeItIsAppliedIsForgotten() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        restartToWait(held).run();
        WeakReference<DnsService> replaced = new WeakReference<>(change("10.96.0.77"));
        try {
            await().until(() -> {
                change("10.96.0.78");
                System.gc();
                return replaced.get() == null;
            });
        } finally {
            held.countDown();
        }
        assertThat(TestClient.udp(server.addresses().getFirst(), WEB, "A").answers())
                .containsExactly(WEB + ". 5 A 10.96.0.78");
    }

    private DnsService change(String ip) {
        DnsService service = new DnsService(
                new ServiceName("default", "web"),
                new DnsService.Kind.ClusterIps(List.of(Ip.parse(ip))),
                List.of(),
                false,
                List.of());
        server.apply(new ZoneChange(false, Map.of(service.name(), Optional.of(service))));
        return service;
    }

    @Test
    void propagatesErrors() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        restart(settings(IDLE, 20, "127.0.0.1"), new DnsSupervision() {
            @Override
            public void beat() {
                throw new NoClassDefFoundError("for a test");
            }

            @Override
            public Duration every() {
                return Duration.ofHours(1);
            }

            @Override
            public void failed(Error error) {
                assertThat(error).hasMessage("for a test");
                failed.countDown();
            }
        });
        assertThat(failed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void reportsAddressInUse() {
        InetSocketAddress taken = address();
        ServerSettings again =
                ServerSettings.defaults(List.of(taken), SampleCluster.settings(), ForwardSettings.defaults(List.of()));
        assertThatThrownBy(() -> DnsServer.open(again, DnsSupervision.NONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen for DNS on UDP 127.0.0.1 port " + taken.getPort());
    }

    @Test
    void anAddressMayComeLater() throws IOException {
        for (String address : List.of("192.0.2.53", "2001:db8::53")) {
            ServerSettings usual = settings(IDLE, 20, address);
            assertThatThrownBy(() -> DnsServer.open(usual, DnsSupervision.NONE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen for DNS on UDP ");
            ServerSettings early =
                    new ServerSettings(usual.listen(), true, IDLE, 20, 200, usual.zone(), usual.forward());
            try (DnsServer waiting = DnsServer.open(early, DnsSupervision.NONE)) {
                assertThat(waiting.addresses()).hasSize(1);
            }
        }
    }

    @Test
    void addressesComeAndGoWhileItAnswers() throws IOException {
        InetSocketAddress more = server.listen(new InetSocketAddress("127.0.0.2", 0));
        assertThat(server.addresses()).hasSize(3).contains(more);
        assertThat(TestClient.udp(more, WEB, "A").answers()).hasSize(1);
        assertThat(TestClient.tcp(more, WEB, "A").answers()).hasSize(1);
        server.unlisten(more);
        assertThat(server.addresses()).hasSize(2).doesNotContain(more);
        assertThatThrownBy(() -> new Tcp(more).close()).isInstanceOf(java.net.ConnectException.class);
        assertThat(TestClient.udp(address(), WEB, "A").answers()).hasSize(1);
        // The port is free again.
        assertThat(server.listen(more)).isEqualTo(more);
    }

    @Test
    void onlyAdmittedClientsAreAnswered() throws IOException {
        server.clients(new ClientNetworks(Set.of(Ip.parse("::1")), List.of(IpPrefix.parse("127.8.0.0/16"))));
        InetSocketAddress ipv6 = server.addresses().get(1);
        for (InetSocketAddress own : List.of(
                new InetSocketAddress(InetAddress.ofLiteral("127.8.1.2"), 0),
                new InetSocketAddress(InetAddress.ofLiteral("::1"), 0))) {
            InetSocketAddress target = own.getAddress() instanceof java.net.Inet6Address ? ipv6 : address();
            try (DatagramSocket client = new DatagramSocket(own)) {
                client.connect(target);
                TestClient.send(client, NettyCodec.query(1, WEB, "A", 0));
                assertThat(NettyCodec.read(TestClient.receive(client)).answers())
                        .hasSize(1);
            }
        }
        assertThat(figures().foreign()).isZero();
        try (DatagramSocket outsider = new DatagramSocket(new InetSocketAddress("127.9.1.2", 0));
                Tcp connection = new Tcp(address())) {
            outsider.connect(address());
            TestClient.send(outsider, NettyCodec.query(1, WEB, "A", 0));
            assertThat(connection.isClosedByServer()).isTrue();
            await().untilAsserted(() -> assertThat(figures().foreign()).isEqualTo(2));
            assertThat(figures().udpQueries()).isEqualTo(3);
            assertThat(figures().answers()).containsEntry("NOERROR", 2L);
        }
    }

    @Test
    void theWildcardAddressIsNone() {
        for (String any : List.of("0.0.0.0", "::")) {
            assertThatThrownBy(() -> settings(IDLE, 20, any)).hasMessageContaining("is no address to listen on");
        }
    }

    @Test
    void whenItIsClosedItsPortsAreFree() throws IOException {
        List<InetSocketAddress> addresses = server.addresses();
        server.close();
        try (DnsServer again = DnsServer.open(
                ServerSettings.defaults(addresses, SampleCluster.settings(), ForwardSettings.defaults(List.of())),
                DnsSupervision.NONE)) {
            assertThat(again.addresses()).isEqualTo(addresses);
        }
    }
}
