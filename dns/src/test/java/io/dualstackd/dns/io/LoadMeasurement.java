package io.dualstackd.dns.io;

import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.RecordData;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how many questions the thread {@code dns} answers in a second of its own time, and what the zone costs in memory; run by hand:
 * {@code java … io.dualstackd.dns.io.LoadMeasurement [services] [seconds]}. Clients and resolver are threads of the same process, whose time does not
 * count.
 */
final class LoadMeasurement {
    private static final int CLIENTS = 4;

    /** Questions that a client has under way. */
    private static final int WINDOW = 32;

    private static final int ENDPOINTS = 10;

    private static final List<String> MIX = List.of("A", "AAAA", "SRV", "NX", "PTR");

    private LoadMeasurement() {}

    public static void main(String[] args) throws Exception {
        int services = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
        try (TestResolver upstream = TestResolver.of(LoadMeasurement::external)) {
            ZoneSettings zone = ZoneSettings.defaults(
                    SampleCluster.DOMAIN, List.of(IpPrefix.parse("10.96.0.0/12"), IpPrefix.parse("fd00:96::/108")));
            long before = heap();
            try (DnsServer server = DnsServer.open(
                    ServerSettings.defaults(
                            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                            zone,
                            ForwardSettings.defaults(List.of(upstream.nameserver()))),
                    DnsSupervision.NONE)) {
                ZoneChange all = SampleCluster.complete(cluster(services));
                long begun = System.nanoTime();
                server.apply(all);
                int known = server.figures().join().services();
                System.out.printf(
                        Locale.ROOT,
                        "services=%d endpoints=%d taken over in %d ms, heap=%d kB%n",
                        known,
                        known * ENDPOINTS,
                        (System.nanoTime() - begun) / 1_000_000,
                        (heap() - before) / 1024);
                load(server, services, seconds, "cluster", MIX);
                load(server, services, seconds, "cluster again", MIX);
                load(server, services, seconds, "A", List.of("A"));
                load(server, services, seconds, "headless A", List.of("HEADLESS"));
                load(server, services, seconds, "forwarded, remembered", List.of("EXTERNAL"));
                load(server, services, seconds, "forwarded", List.of("FRESH"));
                System.out.printf(
                        Locale.ROOT,
                        "heap afterwards=%d kB %s%n",
                        (heap() - before) / 1024,
                        server.figures().join());
            }
        }
    }

    private static DnsAnswer external(DnsQuery query) {
        return new DnsAnswer(
                DnsResponseCode.NOERROR,
                false,
                false,
                List.of(new DnsRecord(
                        query.question().name(), DnsRecordType.A, 60, new RecordData.Address(new Ip.V4(0xc0000201)))),
                List.of(),
                List.of());
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Every tenth is headless; all have two families and ten endpoints. */
    private static DnsService[] cluster(int count) {
        DnsService[] services = new DnsService[count];
        for (int i = 0; i < count; i++) {
            DnsEndpoint[] endpoints = new DnsEndpoint[ENDPOINTS];
            for (int e = 0; e < ENDPOINTS; e++) {
                endpoints[e] = new DnsEndpoint(new Ip.V4(0x0af40000 + i * ENDPOINTS + e), Optional.empty(), true);
            }
            DnsService.Kind kind = i % 10 == 0
                    ? new DnsService.Kind.Headless()
                    : new DnsService.Kind.ClusterIps(
                            List.of(new Ip.V4(0x0a600000 + i), new Ip.V6(0xfd00_0096_0000_0000L, i + 1)));
            services[i] = new DnsService(
                    new ServiceName("ns" + i % 100, "svc" + i),
                    kind,
                    List.of(SampleCluster.port("http", 80)),
                    false,
                    List.of(SampleCluster.slice(List.of(SampleCluster.port("http", 8080)), endpoints)));
        }
        return services;
    }

    private static byte[] query(Random random, int services, String kind) {
        int i = random.nextInt(services);
        int plain = i % 10 == 0 ? (i + 1) % services : i;
        String name = "svc" + plain + ".ns" + plain % 100 + ".svc.cluster.local";
        return switch (kind) {
            case "SRV" -> NettyCodec.query(i, "_http._tcp." + name, "SRV", 1232);
            case "NX" -> NettyCodec.query(i, "www.example.com." + name.substring(name.indexOf('.') + 1), "A", 1232);
            case "PTR" ->
                NettyCodec.query(
                        i,
                        (plain & 255) + "." + (plain >> 8 & 255) + "." + (0x60 + (plain >> 16)) + ".10.in-addr.arpa",
                        "PTR",
                        0);
            case "HEADLESS" -> {
                int headless = i / 10 * 10;
                yield NettyCodec.query(i, "svc" + headless + ".ns" + headless % 100 + ".svc.cluster.local", "A", 1232);
            }
            case "EXTERNAL" -> NettyCodec.query(i, "host" + i % 100 + ".example.com", "A", 1232);
            case "FRESH" -> NettyCodec.query(i, "host" + random.nextLong() + ".example.com", "A", 1232);
            default -> NettyCodec.query(i, name, kind, 1232);
        };
    }

    private static void load(DnsServer server, int services, int seconds, String title, List<String> kinds)
            throws InterruptedException {
        InetSocketAddress address = server.addresses().getFirst();
        AtomicLong answered = new AtomicLong();
        AtomicLong lost = new AtomicLong();
        List<Thread> clients = new ArrayList<>();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        for (int c = 0; c < CLIENTS; c++) {
            Random random = new Random(c);
            List<byte[]> queries = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                queries.add(query(random, services, kinds.get(i % kinds.size())));
            }
            clients.add(Thread.ofPlatform().unstarted(() -> client(address, queries, end, answered, lost)));
        }
        Thread dns = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("dns"))
                .findFirst()
                .orElseThrow();
        var threads = ManagementFactory.getThreadMXBean();
        clients.forEach(Thread::start);
        // The first half compiles.
        long half = end - seconds * 500_000_000L;
        while (System.nanoTime() < half) {
            Thread.sleep(10);
        }
        long count = answered.get();
        long cpu = threads.getThreadCpuTime(dns.threadId());
        long begun = System.nanoTime();
        for (Thread client : clients) {
            client.join();
        }
        double took = (System.nanoTime() - begun) / 1e9;
        double used = (threads.getThreadCpuTime(dns.threadId()) - cpu) / 1e9;
        count = answered.get() - count;
        System.out.printf(
                Locale.ROOT,
                "%-24s answers=%d lost=%d in %.1f s: %.0f/s; %.2f s of the thread: %.0f per second of a core%n",
                title,
                count,
                lost.get(),
                took,
                count / took,
                used,
                count / used);
    }

    private static void client(
            InetSocketAddress address, List<byte[]> queries, long end, AtomicLong answered, AtomicLong lost) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            socket.setSoTimeout(1_000);
            DatagramPacket packet = new DatagramPacket(new byte[4_096], 4_096);
            int next = 0;
            while (System.nanoTime() < end) {
                for (int i = 0; i < WINDOW; i++) {
                    TestClient.send(socket, queries.get(next++ % queries.size()));
                }
                int got = 0;
                try {
                    while (got < WINDOW) {
                        socket.receive(packet);
                        got++;
                    }
                } catch (SocketTimeoutException e) {
                    lost.addAndGet(WINDOW - got);
                }
                answered.addAndGet(got);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
