package io.dualstackd.bench.dns;

import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Resident;
import io.dualstackd.bench.measure.ThreadTimes;
import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.io.DnsServer;
import io.dualstackd.dns.io.DnsSupervision;
import io.dualstackd.dns.io.ServerSettings;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.IpPrefix;
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
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Implements {@code bin/bench dns}. */
public final class DnsBench {
    private static final int CLIENTS = 4;

    /** Questions that a client has under way. */
    private static final int WINDOW = 32;

    private static final int QUERIES = 20_000;
    private static final double NANOS = 1e9;
    private static final int HEADER_BYTES = 12;
    private static final int NO_ERROR = 0;
    private static final int NO_SUCH_NAME = 3;
    private static final int ANSWER_BYTES = 4_096;
    private static final int TIMEOUT_MILLIS = 1_000;

    private final Report report;
    private final DnsServer server;
    private final int services;
    private final int seconds;

    private DnsBench(Report report, DnsServer server, int services, int seconds) {
        this.report = report;
        this.server = server;
        this.services = services;
        this.seconds = seconds;
    }

    public static void run(BenchOptions options) throws Exception {
        Report report = new Report("DNS", options);
        for (int services : options.sizesOr(options.quick() ? 1_000 : 10_000)) {
            round(report, services, options.quick() ? 2 : 10);
        }
        if (options.write()) {
            report.write("dns.txt");
        }
    }

    private static void round(Report report, int services, int seconds) throws Exception {
        ZoneSettings zone = ZoneSettings.defaults(
                DnsName.parse("cluster.local"),
                List.of(IpPrefix.parse("10.96.0.0/12"), IpPrefix.parse("fd00:96::/108")));
        try (StubResolver upstream = new StubResolver()) {
            long before = heap();
            try (DnsServer server = DnsServer.open(
                    ServerSettings.defaults(
                            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                            zone,
                            ForwardSettings.defaults(List.of(upstream.nameserver()))),
                    DnsSupervision.NONE)) {
                long begun = System.nanoTime();
                server.apply(SampleZone.of(services));
                int known = server.figures().join().services();
                report.say(String.format(
                        Locale.ROOT,
                        "%n%d Services with %d endpoints each: taken over in %d ms, %d kB of heap%n%n",
                        known,
                        SampleZone.ENDPOINTS,
                        (System.nanoTime() - begun) / 1_000_000,
                        (heap() - before) / 1024));
                report.say(String.format(
                        Locale.ROOT,
                        "%-40s %10s %12s %10s %12s %10s%n",
                        "questions",
                        "answered",
                        "lost",
                        "per s",
                        "dns cpu ms",
                        "per cpu s"));
                new DnsBench(report, server, services, seconds).rows();
                report.say(String.format(
                        Locale.ROOT,
                        "%nafterwards: %d kB of heap, of them %d kB for %d remembered answers; process %d MB resident at most%n",
                        (heap() - before) / 1024,
                        server.figures().join().rememberedBytes() / 1024,
                        server.figures().join().remembered(),
                        Resident.of(ProcessHandle.current().pid()).peak() >> 20));
            }
        }
    }

    private void rows() throws Exception {
        List<SampleZone.Kind> mix = List.of(
                SampleZone.Kind.A,
                SampleZone.Kind.AAAA,
                SampleZone.Kind.SRV,
                SampleZone.Kind.MISSING,
                SampleZone.Kind.PTR);
        load("a mix, the first time", mix);
        load("A, AAAA, SRV, PTR, a name that is not there", mix);
        load("A", List.of(SampleZone.Kind.A));
        load("A of a headless Service", List.of(SampleZone.Kind.HEADLESS));
        load("another name, remembered", List.of(SampleZone.Kind.REMEMBERED));
        load("another name, asked for", List.of(SampleZone.Kind.FRESH));
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void load(String title, List<SampleZone.Kind> kinds) throws Exception {
        Report.progress(title);
        Random random = new Random(1);
        List<byte[]> queries = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            queries.add(SampleZone.query(random, services, kinds.get(i % kinds.size())));
        }
        AtomicLong answered = new AtomicLong();
        AtomicLong lost = new AtomicLong();
        ThreadTimes before = ThreadTimes.of(ProcessHandle.current().pid());
        long begun = System.nanoTime();
        long end = begun + seconds * 1_000_000_000L;
        List<Thread> clients = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
            List<byte[]> own = queries.subList(QUERIES / CLIENTS * c, QUERIES / CLIENTS * (c + 1));
            clients.add(Thread.ofPlatform().start(() -> ask(own, end, answered, lost)));
        }
        for (Thread client : clients) {
            client.join();
        }
        double took = (System.nanoTime() - begun) / NANOS;
        double used = ThreadTimes.of(ProcessHandle.current().pid())
                        .since(before)
                        .nanos()
                        .getOrDefault("dns", 0L)
                / NANOS;
        report.say(String.format(
                Locale.ROOT,
                "%-40s %10d %12d %10.0f %12.0f %10.0f%n",
                title,
                answered.get(),
                lost.get(),
                answered.get() / took,
                used * 1_000,
                answered.get() / used));
    }

    private void ask(List<byte[]> queries, long end, AtomicLong answered, AtomicLong lost) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server.addresses().getFirst());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DatagramPacket packet = new DatagramPacket(new byte[ANSWER_BYTES], ANSWER_BYTES);
            int next = 0;
            while (System.nanoTime() < end) {
                for (int i = 0; i < WINDOW; i++) {
                    byte[] query = queries.get(next++ % queries.size());
                    socket.send(new DatagramPacket(query, query.length));
                }
                int right = 0;
                try {
                    for (int i = 0; i < WINDOW; i++) {
                        socket.receive(packet);
                        right += isAnswer(packet) ? 1 : 0;
                    }
                } catch (SocketTimeoutException e) {
                    Report.progress("an answer did not come within " + TIMEOUT_MILLIS + " ms");
                }
                answered.addAndGet(right);
                lost.addAndGet(WINDOW - right);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A server that is out of its depth answers, too, with SERVFAIL or REFUSED (RFC 1035, 4.1.1). */
    private static boolean isAnswer(DatagramPacket packet) {
        int code = packet.getData()[3] & 0xf;
        return packet.getLength() >= HEADER_BYTES && (code == NO_ERROR || code == NO_SUCH_NAME);
    }
}
