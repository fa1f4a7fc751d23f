package io.dualstackd.bench.dns;

import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsEndpoints;
import io.dualstackd.dns.DnsPort;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.Edns;
import io.dualstackd.dns.message.MessageWriter;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.netty.handler.codec.dns.DnsRecordType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Services, of which every tenth is headless, and questions about them. */
final class SampleZone {
    static final int ENDPOINTS = 10;

    private static final int HEADLESS = 10;
    private static final int NAMESPACES = 100;
    private static final int CLUSTER_IPS = 0x0a600000;
    private static final int POD_IPS = 0x0af40000;
    private static final int ID_BITS = 16;
    private static final int HOSTS = 100;

    private SampleZone() {}

    /** Kinds of questions. */
    enum Kind {
        A,
        AAAA,
        SRV,
        PTR,
        /** As a search path makes it. */
        MISSING,
        HEADLESS,
        REMEMBERED,
        FRESH
    }

    static ZoneChange of(int count) {
        Map<ServiceName, Optional<DnsService>> services = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int first = POD_IPS + i * ENDPOINTS;
            List<DnsEndpoint> endpoints = IntStream.range(0, ENDPOINTS)
                    .mapToObj(e -> new DnsEndpoint(new Ip.V4(first + e), Optional.empty(), true))
                    .toList();
            DnsService.Kind kind = i % HEADLESS == 0
                    ? new DnsService.Kind.Headless()
                    : new DnsService.Kind.ClusterIps(
                            List.of(new Ip.V4(CLUSTER_IPS + i), new Ip.V6(0xfd00_0096_0000_0000L, i + 1)));
            ServiceName name = new ServiceName("ns" + i % NAMESPACES, "svc" + i);
            services.put(
                    name,
                    Optional.of(new DnsService(
                            name,
                            kind,
                            List.of(new DnsPort("http", Proto.TCP, 80)),
                            false,
                            List.of(new DnsEndpoints(List.of(new DnsPort("http", Proto.TCP, 8080)), endpoints)))));
        }
        return new ZoneChange(true, services);
    }

    static byte[] query(Random random, int services, Kind kind) {
        int i = random.nextInt(services);
        int plain = i % HEADLESS == 0 ? (i + 1) % services : i;
        String name = name(plain);
        return switch (kind) {
            case A -> query(random, name, DnsRecordType.A);
            case AAAA -> query(random, name, DnsRecordType.AAAA);
            case SRV -> query(random, "_http._tcp." + name, DnsRecordType.SRV);
            case MISSING -> query(random, "www.example.com." + name.substring(name.indexOf('.') + 1), DnsRecordType.A);
            case PTR -> query(random, reverse(new Ip.V4(CLUSTER_IPS + plain)), DnsRecordType.PTR);
            case HEADLESS -> query(random, name(i / HEADLESS * HEADLESS), DnsRecordType.A);
            case REMEMBERED -> query(random, "host" + i % HOSTS + ".example.com", DnsRecordType.A);
            case FRESH -> query(random, "host" + random.nextLong() + ".example.com", DnsRecordType.A);
        };
    }

    private static String name(int service) {
        return "svc" + service + ".ns" + service % NAMESPACES + ".svc.cluster.local";
    }

    private static String reverse(Ip ip) {
        return ip.byteAt(3) + "." + ip.byteAt(2) + "." + ip.byteAt(1) + "." + ip.byteAt(0) + ".in-addr.arpa";
    }

    private static byte[] query(Random random, String name, DnsRecordType type) {
        return MessageWriter.query(
                random.nextInt(1 << ID_BITS),
                new DnsQuestion(DnsName.parse(name), type),
                Optional.of(new Edns(MessageWriter.UDP_BYTES, false)),
                false);
    }
}
