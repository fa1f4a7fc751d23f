package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The kinds of Service there are in a {@link Workload}: half of them plain, of each other kind one in ten. */
enum Shape {
    PLAIN,
    /** A node port. */
    NODE_PORT,
    /** A node port, an external IP, and a load balancer's IP for some clients. */
    EXTERNAL,
    /** As {@link #EXTERNAL}, for all clients; those outside reach endpoints of this node only. */
    EXTERNAL_LOCAL,
    /** A node port; clients stay with their endpoint. */
    STICKY,
    /** Pods reach endpoints of this node only. */
    INTERNAL_LOCAL;

    static final String NAMESPACE = "faults";
    static final int STICKY_SECONDS = 10_800;

    private static final int PORT = 80;
    private static final Set<String> REFUSED = Set.of("refused");
    private static final Set<String> DROPPED = Set.of("dropped");

    static Shape of(int number) {
        return values()[Math.max(0, number % 10 - 4)];
    }

    private boolean isExternal() {
        return this == EXTERNAL || this == EXTERNAL_LOCAL;
    }

    private boolean hasNodePort() {
        return isExternal() || this == NODE_PORT || this == STICKY;
    }

    static String clusterIp(int number, IpFamily family) {
        return numbered(number, family, "10.96.", "fd00:10:96::");
    }

    private static String externalIp(int number, IpFamily family) {
        return numbered(number, family, "198.18.", "2001:db8:18::");
    }

    private static String balancerIp(int number, IpFamily family) {
        return numbered(number, family, "198.19.", "2001:db8:19::");
    }

    private static String clients(IpFamily family) {
        return family == IpFamily.IPV4 ? "203.0.113.0/25" : "2001:db8:203::/64";
    }

    private static String numbered(int number, IpFamily family, String before4, String before6) {
        return family == IpFamily.IPV4
                ? before4 + number / 250 + "." + (number % 250 + 1)
                : Ip.parse(before6 + Integer.toHexString(number + 1)).toString();
    }

    private static int nodePort(int number) {
        return 30_000 + number;
    }

    static Service service(int number) {
        Shape shape = of(number);
        List<Ip> ips = both(number, Shape::clusterIp);
        Service.Builder service = Service.builder(NAMESPACE, "s" + number)
                .type(shape.type())
                .clusterIps(new Service.ClusterIp.Address(ips.getFirst()), ips, List.of(IpFamily.IPV4, IpFamily.IPV6))
                .ports(List.of(new Service.Port("http", Proto.TCP, PORT, shape.hasNodePort() ? nodePort(number) : 0)));
        if (shape.isExternal()) {
            service.externalIps(both(number, Shape::externalIp))
                    .ingress(both(number, Shape::balancerIp).stream()
                            .map(ip -> new Service.Ingress(ip, Service.IpMode.VIP))
                            .toList());
        }
        if (shape == EXTERNAL) {
            service.loadBalancerSourceRanges(
                    List.of(IpPrefix.parse(clients(IpFamily.IPV4)), IpPrefix.parse(clients(IpFamily.IPV6))));
        }
        if (shape == STICKY) {
            service.sessionAffinity(new Service.SessionAffinity.ClientIp(Duration.ofSeconds(STICKY_SECONDS)));
        }
        if (shape == EXTERNAL_LOCAL) {
            service.externalTrafficPolicy(Service.Policy.LOCAL).healthCheckNodePort(31_000 + number);
        }
        if (shape == INTERNAL_LOCAL) {
            service.internalTrafficPolicy(Service.Policy.LOCAL);
        }
        return service.build();
    }

    private Service.Type type() {
        return isExternal()
                ? Service.Type.LOAD_BALANCER
                : hasNodePort() ? Service.Type.NODE_PORT : Service.Type.CLUSTER_IP;
    }

    private interface Numbered {
        String ip(int number, IpFamily family);
    }

    private static List<Ip> both(int number, Numbered numbered) {
        return List.of(Ip.parse(numbered.ip(number, IpFamily.IPV4)), Ip.parse(numbered.ip(number, IpFamily.IPV6)));
    }

    /**
     * What the kernel should do with all that is sent to a Service; an empty set where no rule of its own should be.
     *
     * @param all endpoints as address and port
     * @param local those on this node
     */
    static Map<Destination, Set<String>> wanted(int number, IpFamily family, Set<String> all, Set<String> local) {
        Shape shape = of(number);
        Map<Destination, Set<String>> wanted = new LinkedHashMap<>();
        Destination cluster = new Destination(clusterIp(number, family), "tcp", PORT);
        if (shape == INTERNAL_LOCAL) {
            wanted.put(cluster, all.isEmpty() ? REFUSED : local.isEmpty() ? DROPPED : local);
            return wanted;
        }
        Set<String> plain = all.isEmpty()
                ? REFUSED
                : shape == STICKY ? with(all, "for " + STICKY_SECONDS + " s the one of before") : all;
        wanted.put(cluster, plain);
        List<Destination> more = new ArrayList<>();
        if (shape.hasNodePort()) {
            more.add(Destination.nodePort(family, "tcp", nodePort(number)));
        }
        if (shape.isExternal()) {
            more.add(new Destination(externalIp(number, family), "tcp", PORT));
            more.add(new Destination(balancerIp(number, family), "tcp", PORT));
        }
        for (Destination each : more) {
            boolean some = shape == EXTERNAL && each.ip().equals(balancerIp(number, family));
            wanted.put(each, some && !all.isEmpty() ? with(plain, "for " + clients(family)) : plain);
            if (shape == EXTERNAL_LOCAL) {
                wanted.put(each.outside(), all.isEmpty() ? Set.of() : local.isEmpty() ? DROPPED : local);
            }
        }
        return wanted;
    }

    private static Set<String> with(Set<String> some, String more) {
        Set<String> all = new TreeSet<>(some);
        all.add(more);
        return all;
    }
}
