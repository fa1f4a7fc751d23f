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
import io.dualstackd.dns.message.DnsRecord;
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A server and the other resolvers that it asks. */
abstract class ForwardingFixture {
    static final Duration LONG = Duration.ofSeconds(30);

    final AtomicLong nanos = new AtomicLong();
    final List<TestResolver> resolvers = new ArrayList<>();

    @Nullable
    DnsServer opened;

    @AfterEach
    void close() throws IOException {
        if (opened != null) {
            opened.close();
        }
        for (TestResolver resolver : resolvers) {
            resolver.close();
        }
    }

    TestResolver resolver(TestResolver resolver) {
        resolvers.add(resolver);
        return resolver;
    }

    /** Knows every name. */
    static DnsAnswer address(DnsQuery query) {
        return answer(query, 60, "192.0.2.1");
    }

    static DnsAnswer answer(DnsQuery query, int ttl, String address) {
        return new DnsAnswer(
                DnsResponseCode.NOERROR,
                false,
                true,
                List.of(record(query.question().name(), ttl, address)),
                List.of(),
                List.of());
    }

    static DnsRecord record(DnsName owner, int ttl, String address) {
        return new DnsRecord(owner, DnsRecordType.A, ttl, new RecordData.Address(Ip.parse(address)));
    }

    static DnsAnswer missing(int minimum) {
        DnsName zone = DnsName.parse("example.com");
        DnsRecord soa = new DnsRecord(
                zone, DnsRecordType.SOA, 3_600, new RecordData.Authority(zone, zone, 1, 2, 3, 4, minimum));
        return new DnsAnswer(DnsResponseCode.NXDOMAIN, false, false, List.of(), List.of(soa), List.of());
    }

    InetSocketAddress open(ForwardSettings settings) throws IOException {
        return open(settings, Duration.ofMinutes(10));
    }

    InetSocketAddress open(ForwardSettings settings, Duration idle) throws IOException {
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

    static ForwardSettings settings(Duration timeout, int rounds, int perClient, int atOnce, Nameserver... servers) {
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

    static ForwardSettings settings(Nameserver... servers) {
        return settings(LONG, 1, 100, 500, servers);
    }

    DnsServer server() {
        return Objects.requireNonNull(opened);
    }

    DnsFigures figures() {
        return server().figures().join();
    }

    /**
     * Asks a question while resolvers are silent: the time of an attempt passes, on the server's clock, once the resolver has the question.
     *
     * @param received a number that tells whether it has
     * @param silent its values then, one for each attempt that is not answered
     */
    NettyCodec.Read askPastSilence(
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

    static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
