package io.dualstackd.bench.daemon;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** A folder of manifests: dual-stack Services, {@value #PER_FILE} per file, and the slices of one of them in a file of their own. */
final class Folder {
    private static final int PER_FILE = 100;
    private static final int ENDPOINTS = 10;
    private static final String CHANGING = "changing.yaml";

    private final Path path;
    private final int services;

    Folder(Path path, int services) {
        this.path = path;
        this.services = services;
    }

    Path path() {
        return path;
    }

    void write() throws IOException {
        Files.createDirectories(path);
        for (int first = 0; first < services; first += PER_FILE) {
            Path file = path.resolve(String.format("services-%05d.yaml", first));
            try (Writer out = Files.newBufferedWriter(file)) {
                for (int n = first; n < Math.min(services, first + PER_FILE); n++) {
                    out.write(service(n));
                    if (n > 0) {
                        out.write(slices(n, 0));
                    }
                }
            }
        }
        change(0);
    }

    /** Replaces the file with the slices of Service 0 by a rename; {@code version} determines which endpoint is in it. */
    void change(int version) throws IOException {
        Path fresh = Files.writeString(path.resolve("." + CHANGING + ".new"), slices(0, version));
        Files.move(fresh, path.resolve(CHANGING), StandardCopyOption.ATOMIC_MOVE);
    }

    long bytes() throws IOException {
        long sum = 0;
        try (var files = Files.list(path)) {
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    private static String service(int n) {
        return """
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: service-%1$d, namespace: bench}
                spec:
                  ipFamilyPolicy: RequireDualStack
                  ipFamilies: [IPv4, IPv6]
                  clusterIP: "%2$s"
                  clusterIPs: ["%2$s", "%3$s"]
                  ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]
                """.formatted(n, Nodes.serviceIp(IpFamily.IPV4, n), Nodes.serviceIp(IpFamily.IPV6, n));
    }

    private static String slices(int n, int version) {
        StringBuilder text = new StringBuilder();
        for (IpFamily family : IpFamily.values()) {
            text.append("""
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: service-%1$d-%2$s, namespace: bench, labels: {kubernetes.io/service-name: service-%1$d}}
                    addressType: %3$s
                    ports: [{name: http, port: 8080, protocol: TCP}]
                    endpoints:
                    """.formatted(n, family.toString().toLowerCase(Locale.ROOT), family));
            for (int i = 0; i < ENDPOINTS; i++) {
                int pod = n * 128 + (i == 0 ? version % 100 + ENDPOINTS : i);
                text.append("- {addresses: [\"")
                        .append(Nodes.podIp(family, pod))
                        .append("\"], nodeName: node-2, conditions: {ready: true}}\n");
            }
        }
        return text.toString();
    }
}
