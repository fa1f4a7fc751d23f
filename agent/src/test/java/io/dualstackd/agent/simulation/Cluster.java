package io.dualstackd.agent.simulation;

import io.dualstackd.kubeapi.client.io.InMemoryApiServer;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** The Services of a simulated cluster, what their rules must lead to, and since when. */
final class Cluster {
    /** The number of a Service that {@link #change} leaves alone. */
    static final int UNCHANGED = 1;

    private static final int SERVICES = 20;
    private static final int PODS = 40;

    private final InMemoryApiServer server;
    private final SimulatedPlatform platform;
    private final SplittableRandom random;
    private final Map<Integer, Wanted> services = new TreeMap<>();

    /**
     * One Service.
     *
     * @param pods numbers of the pods behind it
     * @param since when it became so, in nanoseconds
     */
    record Wanted(TreeSet<Integer> pods, long since) {}

    Cluster(InMemoryApiServer server, SimulatedPlatform platform, SplittableRandom random) {
        this.server = server;
        this.platform = platform;
        this.random = random;
    }

    void create() {
        put("""
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                status: {addresses: [{type: InternalIP, address: 192.0.2.10}, {type: InternalIP, address: "2001:db8::10"}]}
                """);
        for (int number = 1; number <= SERVICES; number++) {
            put("""
                    apiVersion: v1
                    kind: Service
                    metadata: {name: s%1$d, namespace: shop}
                    spec:
                      clusterIP: 10.96.0.%1$d
                      clusterIPs: [10.96.0.%1$d, "fd00:10:96::%1$x"]
                      ipFamilyPolicy: RequireDualStack
                      ipFamilies: [IPv4, IPv6]
                      ports: [{port: 80}]
                    """.formatted(number));
            endpoints(number);
        }
    }

    /** Gives one Service other endpoints. */
    void change() {
        endpoints(UNCHANGED + 1 + random.nextInt(SERVICES - UNCHANGED));
    }

    private void endpoints(int number) {
        TreeSet<Integer> pods = new TreeSet<>();
        int count = 1 + random.nextInt(5);
        while (pods.size() < count) {
            pods.add(1 + random.nextInt(PODS));
        }
        services.put(number, new Wanted(pods, platform.nanoTime()));
        for (IpFamily family : IpFamily.values()) {
            List<String> endpoints = new ArrayList<>();
            pods.forEach(pod -> endpoints.add("{addresses: [\"" + pod(family, pod) + "\"]}"));
            put("""
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: s%1$d-%2$s, namespace: shop, labels: {kubernetes.io/service-name: s%1$d}}
                    addressType: %3$s
                    ports: [{port: 8080}]
                    endpoints: [%4$s]
                    """.formatted(
                            number,
                            family == IpFamily.IPV4 ? "v4" : "v6",
                            family == IpFamily.IPV4 ? "IPv4" : "IPv6",
                            String.join(", ", endpoints)));
        }
    }

    private void put(String yaml) {
        server.put(parsed(yaml));
    }

    private static ApiObject parsed(String yaml) {
        var decoded = Manifests.decode("object.yaml", yaml);
        if (!decoded.problems().isEmpty()) {
            throw new IllegalArgumentException(decoded.problems().toString());
        }
        return decoded.objects().getFirst().object();
    }

    static String pod(IpFamily family, int number) {
        return family == IpFamily.IPV4 ? "10.244.0." + number : "fd00:10:244::" + Integer.toHexString(number);
    }

    static String clusterIp(IpFamily family, int service) {
        return family == IpFamily.IPV4 ? "10.96.0." + service : "fd00:10:96::" + Integer.toHexString(service);
    }

    /** The Services by number. */
    Map<Integer, Wanted> services() {
        return services;
    }
}
