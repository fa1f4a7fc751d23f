package io.dualstackd.kubeapi.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** "This Service has IPv6 addresses and no IPv6 endpoint." */
final class OneSidedServicesTest {
    private final Store store = new Store();

    private void put(String yaml) {
        Decoded decoded = Manifests.decode("a.yaml", yaml);
        assertThat(decoded.refused()).isEmpty();
        store.apply(decoded.objects().stream()
                .<Update>map(object -> new Update.Put(object.object()))
                .toList());
    }

    private static String service(String name, String ips) {
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {clusterIPs: [%s], clusterIP: %s, ports: [{port: 80}]}
            """.formatted(name, ips, ips.replaceAll(",.*", ""));
    }

    private static String slice(String service, String type, String endpoints) {
        return """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %s-%s, labels: {kubernetes.io/service-name: %s}}
            addressType: %s
            ports: [{port: 80}]
            endpoints: [%s]
            """.formatted(service, type.toLowerCase(Locale.ROOT), service, type, endpoints);
    }

    private void counts(int withoutIpv4, int withoutIpv6) {
        assertThat(store.oneSidedServices()).isEqualTo(Map.of(IpFamily.IPV4, withoutIpv4, IpFamily.IPV6, withoutIpv6));
    }

    @Test
    void countsThoseWhoseEndpointsAreAllOfTheOtherFamily() {
        put(service("web", "10.96.0.1, \"fd00::1\""));
        counts(0, 0);
        put(slice("web", "IPv4", "{addresses: [10.0.0.1]}"));
        counts(0, 1);
        put(slice("web", "IPv6", "{addresses: [\"fd00:1::1\"], conditions: {ready: false}}"));
        counts(0, 1);
        put(slice("web", "IPv6", "{addresses: [\"fd00:1::1\"]}"));
        counts(0, 0);
        put(slice("web", "IPv4", ""));
        counts(1, 0);
        put(service("web", "\"fd00::1\""));
        counts(0, 0);
    }

    @Test
    void deletedServiceIsNotCounted() {
        put(service("web", "10.96.0.1, \"fd00::1\""));
        put(slice("web", "IPv4", "{addresses: [10.0.0.1]}"));
        put(service("db", "10.96.0.2, \"fd00::2\""));
        put(slice("db", "IPv4", "{addresses: [10.0.0.2]}"));
        put(service("four", "10.96.0.3"));
        put(slice("four", "IPv4", "{addresses: [10.0.0.3]}"));
        counts(0, 2);
        store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "web"))));
        counts(0, 1);
        store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, "default", "db-ipv4"))));
        counts(0, 0);
    }
}
