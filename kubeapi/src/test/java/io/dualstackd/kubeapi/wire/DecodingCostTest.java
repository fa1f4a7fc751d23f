package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What it costs to read a large cluster, in bytes of memory: no tree, no copy of the list. */
final class DecodingCostTest {
    private static final int SERVICES = 10_000;
    private static final int SLICES = 20_000;
    private static final int ENDPOINTS = 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void aLargeClusterIsReadWithoutTrees() throws WireException {
        long service = perObject(ObjectKey.Kind.SERVICE, "Service", services(), SERVICES);
        long slice = perObject(ObjectKey.Kind.ENDPOINT_SLICE, "EndpointSlice", slices(), SLICES);

        // Measured: 2,150 and 1,770; most of it is garbage at once.
        assertThat(service).isLessThan(2_700);
        assertThat(slice).isLessThan(2_200);
    }

    /** Bytes allocated for each object while a list is read that comes in pieces of 16 KiB. */
    private static long perObject(ObjectKey.Kind kind, String name, List<Object> items, int times)
            throws WireException {
        byte[] list = KubeSchema.enveloped(
                kind.apiVersion(), name + "List", Map.of("metadata", Map.of("resourceVersion", "1"), "items", items));
        int rounds = times / items.size();
        Counting counting = new Counting();
        byte[] piece = new byte[16 * 1024];
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < rounds; round++) {
            WireDecoder decoder = WireFormat.PROTOBUF.list(kind, counting);
            for (int at = 0; at < list.length; at += piece.length) {
                int length = Math.min(piece.length, list.length - at);
                System.arraycopy(list, at, piece, 0, length);
                decoder.feed(ByteBuffer.wrap(piece, 0, length));
            }
            decoder.end();
        }
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(counting.count).isEqualTo(rounds * items.size());
        return bytes / counting.count;
    }

    private static final class Counting implements WireListener {
        private int count;

        @Override
        public void put(ApiObject object, String resourceVersion) {
            count++;
        }

        @Override
        public void gone(ObjectKey key, String resourceVersion) {}

        @Override
        public void unreadable(ObjectKey key, String resourceVersion, String why) {}

        @Override
        public void bookmark(String resourceVersion, boolean initialEventsEnd) {}

        @Override
        public void listed(String resourceVersion, Optional<String> continueToken) {}

        @Override
        public void error(ApiStatus status) {}
    }

    private static Map<String, Object> metadata(String prefix, int i, Map<String, Object> labels) {
        return Map.of(
                "name",
                prefix + i,
                "namespace",
                "ns-" + i % 50,
                "uid",
                "0b1c7a5e-3f0a-4a9e-9a57-" + i,
                "resourceVersion",
                Integer.toString(1_000_000 + i),
                "labels",
                labels,
                "annotations",
                Map.of("kubectl.kubernetes.io/last-applied-configuration", "x".repeat(500)));
    }

    private static List<Object> services() {
        List<Object> services = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String v4 = "10.96." + i / 250 + "." + i % 250;
            String v6 = "fd00:96::" + Integer.toHexString(i + 1);
            services.add(Map.of(
                    "metadata", metadata("service-", i, Map.of("app", "app-" + i)),
                    "spec",
                            Map.of(
                                    "type",
                                    "ClusterIP",
                                    "clusterIP",
                                    v4,
                                    "clusterIPs",
                                    List.of(v4, v6),
                                    "ipFamilies",
                                    List.of("IPv4", "IPv6"),
                                    "ipFamilyPolicy",
                                    "PreferDualStack",
                                    "selector",
                                    Map.of("app", "app-" + i),
                                    "sessionAffinity",
                                    "None",
                                    "internalTrafficPolicy",
                                    "Cluster",
                                    "ports",
                                    List.of(Map.of(
                                            "name", "http", "protocol", "TCP", "port", 80, "targetPort", 8080)))));
        }
        return services;
    }

    private static List<Object> slices() {
        List<Object> slices = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            List<Object> endpoints = new ArrayList<>();
            for (int e = 0; e < ENDPOINTS; e++) {
                String address =
                        i % 2 == 0 ? "10.1." + i % 250 + "." + (e + 1) : "fd00:1::" + Integer.toHexString(i * 16 + e);
                endpoints.add(Map.of(
                        "addresses",
                        List.of(address),
                        "conditions",
                        Map.of("ready", true, "serving", true, "terminating", false),
                        "nodeName",
                        "node-" + e,
                        "zone",
                        "zone-" + e % 3));
            }
            slices.add(Map.of(
                    "metadata",
                    metadata("slice-", i, Map.of("kubernetes.io/service-name", "service-" + i / 2)),
                    "addressType",
                    i % 2 == 0 ? "IPv4" : "IPv6",
                    "endpoints",
                    endpoints,
                    "ports",
                    List.of(Map.of("name", "http", "protocol", "TCP", "port", 8080))));
        }
        return slices;
    }
}
