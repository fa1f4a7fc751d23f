package io.dualstackd.dns;

import io.dualstackd.dns.DnsService.Kind;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Services of every kind. */
public final class SampleCluster {
    public static final DnsName DOMAIN = DnsName.parse("cluster.local");

    /** Of the zone. */
    public static final long SERIAL = 1_700_000_000;

    private SampleCluster() {}

    public static ZoneSettings settings() {
        return ZoneSettings.defaults(
                DOMAIN,
                Stream.of("10.96.0.0/12", "10.244.0.0/16", "fd00:96::/112")
                        .map(IpPrefix::parse)
                        .toList());
    }

    public static Zone zone() {
        Zone zone = new Zone(settings());
        zone.apply(change(), SERIAL);
        return zone;
    }

    public static ZoneChange change() {
        return complete(
                clusterIp("default", "web", List.of("10.96.0.10", "fd00:96::10"), port("http", 80), port("https", 443)),
                clusterIp("default", "v4", List.of("10.96.0.11"), port("", 80)),
                clusterIp(
                        "kube-system",
                        "kube-dns",
                        List.of("10.96.0.53", "fd00:96::53"),
                        udp("dns", 53),
                        port("dns-tcp", 53)),
                backed(),
                headless(),
                new DnsService(
                        new ServiceName("default", "waiting"),
                        new Kind.Headless(),
                        List.of(),
                        true,
                        List.of(slice(List.of(port("db", 5432)), endpoint("10.244.0.30", "db-0", false)))),
                new DnsService(
                        new ServiceName("default", "empty"),
                        new Kind.Headless(),
                        List.of(port("db", 5432)),
                        false,
                        List.of(slice(List.of(port("db", 5432)), endpoint("10.244.0.31", "db-0", false)))),
                new DnsService(
                        new ServiceName("default", "portless"),
                        new Kind.Headless(),
                        List.of(),
                        false,
                        List.of(slice(List.of(), endpoint("10.244.0.32", "", true)))),
                external("outside", "www.example.com"),
                external("inside", "web.default.svc.cluster.local."),
                external("chain", "outside.default.svc.cluster.local"),
                external("loop-a", "loop-b.default.svc.cluster.local"),
                external("loop-b", "loop-a.default.svc.cluster.local"),
                external("astray", "nothing.default.svc.cluster.local"),
                external("address", "192.0.2.1"),
                external("broken", "a..b"));
    }

    /** Has cluster IPs and endpoints. */
    private static DnsService backed() {
        return new DnsService(
                new ServiceName("other", "backed"),
                new Kind.ClusterIps(List.of(Ip.parse("10.96.0.20"))),
                List.of(port("http", 80)),
                false,
                List.of(slice(List.of(port("http", 8080)), endpoint("10.244.0.20", "", true))));
    }

    private static DnsService headless() {
        return new DnsService(
                new ServiceName("default", "db"),
                new Kind.Headless(),
                List.of(port("db", 5432)),
                false,
                List.of(
                        slice(
                                List.of(port("db", 5432), udp("gossip", 7946)),
                                endpoint("10.244.0.1", "db-0", true),
                                endpoint("10.244.0.2", "", true),
                                endpoint("10.244.0.3", "db-2", false)),
                        slice(
                                List.of(port("db", 5432)),
                                endpoint("fd00:244::1", "db-0", true),
                                endpoint("fd00:244::", "", true))));
    }

    public static ZoneChange complete(DnsService... services) {
        return change(true, services);
    }

    public static ZoneChange change(boolean complete, DnsService... services) {
        Map<ServiceName, Optional<DnsService>> all = new HashMap<>();
        for (DnsService service : services) {
            all.put(service.name(), Optional.of(service));
        }
        return new ZoneChange(complete, all);
    }

    public static DnsService clusterIp(String namespace, String name, List<String> addresses, DnsPort... ports) {
        return new DnsService(
                new ServiceName(namespace, name),
                new Kind.ClusterIps(addresses.stream().map(Ip::parse).toList()),
                List.of(ports),
                false,
                List.of());
    }

    static DnsService external(String name, String target) {
        return new DnsService(
                new ServiceName("default", name), new Kind.ExternalName(target), List.of(), false, List.of());
    }

    public static DnsEndpoints slice(List<DnsPort> ports, DnsEndpoint... endpoints) {
        return new DnsEndpoints(ports, List.of(endpoints));
    }

    public static DnsEndpoint endpoint(String address, String hostname, boolean ready) {
        return new DnsEndpoint(Ip.parse(address), Optional.of(hostname), ready);
    }

    public static DnsPort port(String name, int port) {
        return new DnsPort(name, Proto.TCP, port);
    }

    private static DnsPort udp(String name, int port) {
        return new DnsPort(name, Proto.UDP, port);
    }
}
