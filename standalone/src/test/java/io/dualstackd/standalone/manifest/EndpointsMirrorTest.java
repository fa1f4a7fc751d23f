package io.dualstackd.standalone.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of upstream's mirroring controller (KEP-752), on objects as files have them. */
final class EndpointsMirrorTest {
    private static final String BOTH = """
        apiVersion: v1
        kind: Endpoints
        metadata: {name: db, namespace: shop}
        subsets:
        - addresses: [{ip: 192.0.2.5, nodeName: n1}, {ip: "2001:db8::5"}]
          notReadyAddresses: [{ip: 192.0.2.6}]
          ports: [{name: sql, port: 5432}, {name: stats, port: 9187}]
        """;

    private final EndpointsMirror mirror = new EndpointsMirror(AdmissionStage.NONE);
    private final Store store = new Store();

    private void put(String... documents) {
        Decoded decoded = Manifests.decode("db.yaml", String.join("---\n", documents));
        assertThat(decoded.problems()).noneMatch(Problem::isError);
        List<Update> updates = new ArrayList<>();
        decoded.objects().forEach(object -> updates.add(new Update.Put(object.object())));
        store.apply(mirror.admit(updates));
    }

    private void gone(ObjectKey.Kind kind) {
        store.apply(mirror.admit(List.of(new Update.Gone(new ObjectKey(kind, "shop", "db")))));
    }

    private static String service(String... spec) {
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: db, namespace: shop}
            spec:
              clusterIP: 10.96.0.30
              clusterIPs: [10.96.0.30, "fd00:96::30"]
              ports: [{name: sql, port: 5432}]
            """ + List.of(spec).stream().map(line -> "  " + line + "\n").collect(Collectors.joining());
    }

    private List<EndpointSlice> slices() {
        return store.service(new ServiceKey("shop", "db")).slices();
    }

    private List<String> endpoints(EndpointSlice.AddressType type) {
        return slices().stream()
                .filter(slice -> slice.addressType() == type)
                .flatMap(slice -> slice.endpoints().stream())
                .map(endpoint -> endpoint.address() + " ready="
                        + endpoint.conditions().ready().orElse(true)
                        + (endpoint.nodeName().isEmpty() ? "" : " on " + endpoint.nodeName()))
                .toList();
    }

    private List<String> problems() {
        return mirror.problems(key -> Optional.empty()).stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void eachFamilyHasASliceOfItsOwn() {
        put(service(), BOTH);
        assertThat(endpoints(EndpointSlice.AddressType.IPV4))
                .containsExactly("192.0.2.5 ready=true on n1", "192.0.2.6 ready=false");
        assertThat(endpoints(EndpointSlice.AddressType.IPV6)).containsExactly("2001:db8::5 ready=true");
        assertThat(slices()).hasSize(2).allSatisfy(slice -> {
            assertThat(slice.ports()).extracting(port -> port.name().orElse("")).containsExactly("sql", "stats");
            assertThat(slice.service()).contains("db");
            assertThat(MirroredSlices.isMirrored(slice)).isTrue();
        });
        assertThat(problems()).isEmpty();
    }

    /** The names of endpoints in DNS, of a headless Service above all. */
    @Test
    void hostnamesAreKept() {
        put(service(), """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: db, namespace: shop}
            subsets:
            - addresses: [{ip: 192.0.2.5, hostname: first}, {ip: "2001:db8::5", hostname: first}, {ip: 192.0.2.7}]
              notReadyAddresses: [{ip: 192.0.2.6, hostname: second}]
              ports: [{name: sql, port: 5432}]
            """);
        assertThat(slices())
                .flatExtracting(EndpointSlice::endpoints)
                .extracting(endpoint -> endpoint.address() + " " + endpoint.hostname())
                .containsExactlyInAnyOrder("192.0.2.5 first", "2001:db8::5 first", "192.0.2.7 ", "192.0.2.6 second");
    }

    @Test
    void aHostnameThatIsNoLabelIsRefused() {
        Decoded decoded = Manifests.decode("db.yaml", BOTH.replace("nodeName: n1", "nodeName: n1, hostname: a.b"));
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems())
                .filteredOn(Problem::isError)
                .singleElement()
                .asString()
                .contains("subsets[0].addresses[0].hostname", "a.b");
    }

    @Test
    void theOrderInWhichServiceAndEndpointsComeDoesNotMatter() {
        put(BOTH);
        assertThat(slices()).isEmpty();
        assertThat(problems()).singleElement().asString().contains("there is no Service of this name");
        put(service());
        assertThat(slices()).hasSize(2);
        gone(ObjectKey.Kind.SERVICE);
        assertThat(slices()).isEmpty();
        put(service());
        gone(ObjectKey.Kind.ENDPOINTS);
        assertThat(slices()).isEmpty();
    }

    @Test
    void reportsEndpointsOfServiceWithSelector() {
        put(service("selector: {app: db}"), BOTH);
        assertThat(slices()).isEmpty();
        assertThat(problems()).singleElement().asString().contains("its Service has a selector");
        put(service());
        assertThat(slices()).hasSize(2);
        put(service("selector: {app: db}"));
        assertThat(slices()).isEmpty();
    }

    @Test
    void theLabelForbidsItAndOnlyWhenTrue() {
        String labelled = BOTH.replace(
                "namespace: shop}", "namespace: shop, labels: {endpointslice.kubernetes.io/skip-mirror: \"true\"}}");
        put(service(), labelled);
        assertThat(slices()).isEmpty();
        assertThat(problems()).isEmpty();
        put(labelled.replace("true", "false"));
        assertThat(slices()).hasSize(2);
    }

    @Test
    void theLockOfALeaderElectionIsNotMirrored() {
        put(
                service(),
                BOTH.replace(
                        "namespace: shop}",
                        "namespace: shop, annotations: {control-plane.alpha.kubernetes.io/leader: \"{}\"}}"));
        assertThat(slices()).isEmpty();
    }

    @Test
    void ofASubsetAThousandAddressesAreMirroredTheReadyOnesFirst() {
        String ready = IntStream.range(0, 990)
                .mapToObj(i -> "{ip: 10.1." + i / 250 + "." + (i % 250 + 1) + "}")
                .collect(Collectors.joining(", "));
        String notReady = IntStream.range(0, 30)
                .mapToObj(i -> "{ip: \"2001:db8::1:" + (i + 1) + "\"}")
                .collect(Collectors.joining(", "));
        put(service(), """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: db, namespace: shop}
            subsets:
            - addresses: [%s]
              notReadyAddresses: [%s]
              ports: [{name: sql, port: 5432}]
            """.formatted(ready, notReady));
        assertThat(endpoints(EndpointSlice.AddressType.IPV4)).hasSize(990);
        assertThat(endpoints(EndpointSlice.AddressType.IPV6)).hasSize(10);
        assertThat(problems()).singleElement().asString().contains("20 addresses are left out");
    }

    @Test
    void subsetsOfTheSamePortsAreOneSliceAndAnAddressCountsOnce() {
        put(service(), """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: db, namespace: shop}
            subsets:
            - {addresses: [{ip: 192.0.2.5}], ports: [{name: sql, port: 5432}]}
            - {addresses: [{ip: 192.0.2.7}, {ip: 192.0.2.5}], ports: [{name: sql, port: 5432}]}
            - {addresses: [{ip: 192.0.2.8}], ports: [{name: sql, port: 5433}]}
            """);
        assertThat(slices()).hasSize(2);
        assertThat(endpoints(EndpointSlice.AddressType.IPV4))
                .containsExactly("192.0.2.5 ready=true", "192.0.2.7 ready=true", "192.0.2.8 ready=true");
    }

    @Test
    void slicesOfTheFolderStayBeside() {
        put(service(), BOTH, """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: db-own, namespace: shop, labels: {kubernetes.io/service-name: db}}
            addressType: IPv4
            ports: [{name: sql, port: 5432}]
            endpoints: [{addresses: [192.0.2.9]}]
            """);
        assertThat(slices()).hasSize(3);
        gone(ObjectKey.Kind.ENDPOINTS);
        assertThat(slices()).extracting(EndpointSlice::name).containsExactly("db-own");
    }

    @Test
    void anUnchangedSliceIsNotWrittenAgain() {
        put(service(), BOTH);
        Decoded decoded = Manifests.decode("db.yaml", BOTH.replace("192.0.2.5", "192.0.2.55"));
        List<Update> updates =
                mirror.admit(List.of(new Update.Put(decoded.objects().getFirst().object())));
        assertThat(updates)
                .singleElement()
                .isInstanceOfSatisfying(
                        Update.Put.class,
                        put -> assertThat(((EndpointSlice) put.object()).addressType())
                                .isEqualTo(EndpointSlice.AddressType.IPV4));
    }

    @Test
    void refusesWhatAnApiServerRefuses() {
        Decoded decoded = Manifests.decode("db.yaml", """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: db}
            subsets:
            - ports: [{port: 80}]
            - addresses: [{ip: 127.0.0.1}, {hostname: x}]
              ports: [{port: 80}, {port: 81}]
            """);
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems().toString())
                .contains("subsets[0].addresses: required: addresses or notReadyAddresses")
                .contains("subsets[1].addresses[0].ip: \"127.0.0.1\": must not be a loopback address")
                .contains("subsets[1].addresses[1].ip: required")
                .contains("subsets[1].ports[1]: another port of this list has the same name");
    }
}
