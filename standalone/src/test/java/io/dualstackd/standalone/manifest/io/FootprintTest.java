package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.standalone.manifest.ManifestIndex;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Service with ten endpoints per family costs, in bytes: on the heap for good, and in passing while it is read. */
@Tag("slow")
final class FootprintTest {
    private static final int SERVICES = 2_000;
    private static final int ENDPOINTS = 10;

    /** Measured with default flags: 2,160 in large files, 2,340 in files of one Service. */
    private static final long KEPT = 3_000;

    /** Measured: 181,000 in large files, 202,000 in files of one Service. */
    private static final long PASSING = 250_000;

    private record Loaded(ManifestIndex manifestIndex, Store store) {}

    private static String slice(int n, boolean four) {
        StringBuilder text = new StringBuilder("""
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata:
                  name: service-%d-%s
                  namespace: team
                  labels:
                    kubernetes.io/service-name: service-%d
                addressType: %s
                ports:
                - name: http
                  port: 8080
                endpoints:
                """.formatted(n, four ? "a" : "b", n, four ? "IPv4" : "IPv6"));
        for (int i = 0; i < ENDPOINTS; i++) {
            String address =
                    four ? "11.%d.%d.%d".formatted(n / 250, n % 250, i + 1) : "fd00:10:%x::%x".formatted(n, i + 1);
            text.append("""
                    - addresses:
                      - "%s"
                      conditions:
                        ready: true
                        serving: true
                        terminating: false
                      nodeName: node-%d
                      zone: zone-a
                    """.formatted(address, i));
        }
        return text.toString();
    }

    private static String service(int n) {
        return """
                ---
                apiVersion: v1
                kind: Service
                metadata:
                  name: service-%d
                  namespace: team
                spec:
                  clusterIP: 10.96.%d.%d
                  clusterIPs:
                  - 10.96.%d.%d
                  - "fd00:96::%x"
                  ipFamilyPolicy: RequireDualStack
                  ports:
                  - name: http
                    port: 80
                """.formatted(n, n / 250, n % 250 + 1, n / 250, n % 250 + 1, n + 1) + slice(n, true) + slice(n, false);
    }

    private static Loaded load(List<String> texts) {
        Loaded loaded = new Loaded(new ManifestIndex(Map.of()), new Store());
        for (int i = 0; i < texts.size(); i++) {
            String file = "f" + i + ".yaml";
            loaded.store().apply(loaded.manifestIndex().put(file, Manifests.decode(file, texts.get(i))));
        }
        return loaded;
    }

    private static long live() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void perService(int servicesPerFile) {
        List<String> texts = new ArrayList<>();
        for (int n = 0; n < SERVICES; n += servicesPerFile) {
            StringBuilder text = new StringBuilder();
            for (int i = n; i < n + servicesPerFile; i++) {
                text.append(service(i));
            }
            texts.add(text.toString());
        }
        load(texts);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long liveBefore = live();
        long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        Loaded loaded = load(texts);
        long passing = (threads.getCurrentThreadAllocatedBytes() - allocatedBefore) / SERVICES;
        long kept = (live() - liveBefore) / SERVICES;
        System.out.println(
                "bytes per Service in files of " + servicesPerFile + ": kept " + kept + ", in passing " + passing);

        assertThat(loaded.store().size()).isEqualTo(new Store.Size(SERVICES, 2 * SERVICES, 0));
        assertThat(loaded.manifestIndex().problems()).isEmpty();
        assertThat(kept).isLessThan(KEPT);
        assertThat(passing).isLessThan(PASSING);
    }
}
