package io.dualstackd.agent.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsEndpoints;
import io.dualstackd.dns.DnsPort;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class StoreZoneTest {
    private static final String SERVICES = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec:
              clusterIP: 10.96.0.11
              clusterIPs: [10.96.0.11, "fd00:96::11"]
              ipFamilyPolicy: RequireDualStack
              ports: [{name: http, port: 80}, {name: quic, port: 443, protocol: UDP}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: db, namespace: shop}
            spec: {clusterIP: None, publishNotReadyAddresses: true, ports: [{name: db, port: 5432}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: files, namespace: shop}
            spec: {type: ExternalName, externalName: files.example.com.}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: waiting, namespace: shop}
            spec: {ports: [{port: 80}]}
            """;

    private final Store store = new Store();
    private final Store.Cursor cursor = store.cursor(() -> {});

    private static List<Update> updates(String text) {
        Decoded decoded = Manifests.decode("test.yaml", text);
        assertThat(decoded.problems()).noneMatch(problem -> problem.isError());
        return decoded.objects().stream()
                .<Update>map(located -> new Update.Put(located.object()))
                .toList();
    }

    private static String slice(String name, String service, String family, String endpoints) {
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %s, namespace: shop, labels: {kubernetes.io/service-name: %s}}
                addressType: %s
                ports: [{name: db, port: 5432}]
                endpoints: [%s]
                """.formatted(name, service, family, endpoints);
    }

    private Optional<ZoneChange> change() {
        return cursor.take().flatMap(StoreZone::change);
    }

    private static DnsService service(ZoneChange change, String name) {
        return change.services()
                .getOrDefault(new ServiceName("shop", name), Optional.empty())
                .orElseThrow();
    }

    @Test
    void everyKindOfServiceIsTranslated() {
        store.apply(updates(SERVICES));
        store.apply(updates(slice(
                "db-1",
                "db",
                "IPv4",
                "{addresses: [10.244.0.1], hostname: db-0, conditions: {ready: false}}, {addresses: [10.244.0.2]}")));
        assertThat(change()).as("nothing before the source is complete").isEmpty();
        store.markSynced();
        ZoneChange first = change().orElseThrow();
        assertThat(first.complete()).isTrue();
        assertThat(service(first, "web"))
                .isEqualTo(new DnsService(
                        new ServiceName("shop", "web"),
                        new DnsService.Kind.ClusterIps(List.of(Ip.parse("10.96.0.11"), Ip.parse("fd00:96::11"))),
                        List.of(new DnsPort("http", Proto.TCP, 80), new DnsPort("quic", Proto.UDP, 443)),
                        false,
                        List.of()));
        assertThat(service(first, "db"))
                .isEqualTo(new DnsService(
                        new ServiceName("shop", "db"),
                        new DnsService.Kind.Headless(),
                        List.of(new DnsPort("db", Proto.TCP, 5432)),
                        true,
                        List.of(new DnsEndpoints(
                                List.of(new DnsPort("db", Proto.TCP, 5432)),
                                List.of(
                                        new DnsEndpoint(Ip.parse("10.244.0.1"), Optional.of("db-0"), false),
                                        new DnsEndpoint(Ip.parse("10.244.0.2"), Optional.empty(), true))))));
        assertThat(service(first, "files").kind()).isEqualTo(new DnsService.Kind.ExternalName("files.example.com."));
        // It has no address yet, so its name must not exist.
        assertThat(first.services()).containsEntry(new ServiceName("shop", "waiting"), Optional.empty());
    }

    @Test
    void oneChangedEndpointTouchesOneService() {
        store.apply(updates(SERVICES));
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            many.append("""
                    ---
                    apiVersion: v1
                    kind: Service
                    metadata: {name: s%d, namespace: shop}
                    spec: {clusterIP: 10.97.%d.%d, ports: [{port: 80}]}
                    """.formatted(i, i / 200, 1 + i % 200));
        }
        store.apply(updates(many.toString()));
        store.apply(updates(slice("db-1", "db", "IPv4", "{addresses: [10.244.0.1]}")));
        store.markSynced();
        assertThat(change().orElseThrow().services()).hasSize(504);
        assertThat(change()).as("nothing changed").isEmpty();

        store.apply(updates(slice("db-1", "db", "IPv4", "{addresses: [10.244.0.1], conditions: {ready: false}}")));
        ZoneChange next = change().orElseThrow();
        assertThat(next.complete()).isFalse();
        assertThat(names(next)).isEqualTo("shop/db");
        assertThat(service(next, "db")
                        .endpoints()
                        .getFirst()
                        .endpoints()
                        .getFirst()
                        .ready())
                .isFalse();

        store.apply(List.of(new Update.Gone(updates(SERVICES).getFirst().key())));
        next = change().orElseThrow();
        assertThat(next.services()).isEqualTo(Map.of(new ServiceName("shop", "web"), Optional.empty()));
    }

    @Test
    void changesOfOtherObjectsAreNone() {
        store.markSynced();
        assertThat(change())
                .hasValueSatisfying(all -> assertThat(all.complete()).isTrue());
        store.apply(updates("{apiVersion: v1, kind: Node, metadata: {name: node-1}}"));
        assertThat(change()).isEmpty();
    }

    private static String names(ZoneChange change) {
        return change.services().keySet().stream()
                .map(ServiceName::toString)
                .sorted()
                .collect(Collectors.joining(" "));
    }
}
