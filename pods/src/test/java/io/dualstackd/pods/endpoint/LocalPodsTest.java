package io.dualstackd.pods.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.ContainerPort;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.cri.ContainerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Endpoints are written {@code address:port}, with {@code !} behind when not ready. */
final class LocalPodsTest {
    private static final ServiceKey WEB = new ServiceKey("shop", "web");

    private static final ObjectKey WEB_OBJECT = new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web");

    private final LocalPods local = new LocalPods("n1", true);
    private final Store store = new Store(local, Optional.empty());
    private final AtomicInteger nudges = new AtomicInteger();
    private Pods pods = Pods.NONE;

    private static Pod pod(
            String name, boolean ready, List<PodContainer> containers, Map<String, String> labels, String... ips) {
        return new Pod(
                "shop",
                name,
                "uid-" + name,
                new Pod.PodSandbox("id-" + name, 0, Instant.EPOCH, ready, 0, true, false),
                false,
                Arrays.stream(ips).map(Ip::parse).toList(),
                labels,
                containers);
    }

    private static Pod web(String name, String... ips) {
        return pod(name, true, List.of(), Map.of("app", "web", "tier", "front"), ips);
    }

    private static Pod dead(String name, String... ips) {
        return pod(name, false, List.of(), Map.of("app", "web", "tier", "front"), ips);
    }

    private static PodContainer container(ContainerState state, ContainerPort... ports) {
        return new PodContainer("main", 0, state, List.of(ports));
    }

    private void run(Pod... now) {
        Pods before = pods;
        pods = new Pods(List.of(now));
        store.locally(states -> local.changed(before, pods, states));
    }

    private void write(String text) {
        var decoded = Manifests.decode("test.yaml", text);
        assertThat(decoded.problems()).isEmpty();
        store.apply(decoded.objects().stream()
                .map(LocatedObject::object)
                .<Update>map(Update.Put::new)
                .toList());
    }

    private void service(String spec) {
        write("""
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec:
              clusterIPs: [10.96.0.10, "fd00:96::a"]
              clusterIP: 10.96.0.10
              ipFamilyPolicy: RequireDualStack
            """ + spec.indent(2));
    }

    private void slice(String endpoints) {
        write("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: "", port: 80}]
            endpoints: %s
            """.formatted(endpoints));
    }

    private static Stream<String> texts(EndpointSlice slice) {
        return slice.endpoints().stream()
                .flatMap(endpoint -> slice.ports().stream()
                        .map(port -> endpoint.address() + ":" + port.port().orElse(0)
                                + (endpoint.conditions().ready().orElse(true) ? "" : "!")));
    }

    private Set<String> endpoints() {
        return store.service(WEB).slices().stream()
                .flatMap(LocalPodsTest::texts)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Store.Cursor cursor;

    @BeforeEach
    void follow() {
        store.markSynced();
        cursor = store.cursor(nudges::incrementAndGet);
        cursor.take();
    }

    private Set<ServiceKey> unseen() {
        return cursor.take().map(Changes::services).orElseThrow().keySet();
    }

    private static final String SIMPLE = """
        selector: {app: web}
        ports: [{port: 80, targetPort: 8080}]
        """;

    @Test
    void podsThatFitTheSelectorServe() {
        run(web("a", "10.0.0.1", "fd01::1"));
        service(SIMPLE);
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "fd01::1:8080");
        run(
                web("a", "10.0.0.1", "fd01::1"),
                web("b", "10.0.0.2"),
                pod("c", true, List.of(), Map.of("app", "db"), "10.0.0.3"));
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "10.0.0.2:8080", "fd01::1:8080");
        run(web("b", "10.0.0.2"), dead("a", "10.0.0.1", "fd01::1"));
        assertThat(endpoints()).containsExactly("10.0.0.2:8080");
        service("selector: {app: web, tier: back}\nports: [{port: 80}]\n");
        assertThat(endpoints()).isEmpty();
        service("selector: {app: web, tier: front}\nports: [{port: 80}]\n");
        assertThat(endpoints()).containsExactly("10.0.0.2:80");
        service("ports: [{port: 80}]\n");
        assertThat(endpoints()).isEmpty();
    }

    /** The store did not take them; the same change is passed on again then. */
    @Test
    void slicesThatTheStoreDidNotGetAreGivenAgain() {
        service(SIMPLE);
        Pods now = new Pods(List.of(web("a", "10.0.0.1")));
        assertThatThrownBy(() -> store.locally(states -> {
                    local.changed(Pods.NONE, now, states);
                    throw new IllegalStateException("made up");
                }))
                .hasMessage("made up");
        assertThat(endpoints()).isEmpty();
        run(web("a", "10.0.0.1"));
        assertThat(endpoints()).containsExactly("10.0.0.1:8080");
    }

    /** Updates that cannot be taken together are given again one by one. */
    @Test
    void slicesOfAServiceWithAnotherThatCannotBeTakenAreGivenAgain() {
        run(web("a", "10.0.0.1"));
        service("ports: [{port: 80}]\n");
        Service plain = store.service(WEB).service().orElseThrow();
        service(SIMPLE);
        Service web = store.service(WEB).service().orElseThrow();
        store.apply(List.of(new Update.Put(plain)));
        assertThat(endpoints()).isEmpty();
        List<Update> updates = List.of(
                new Update.Put(web),
                new Update.Put(new WrittenService(
                        new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "other"), Tree.object("kind", "Service"))));
        assertThatThrownBy(() -> store.apply(updates)).isInstanceOf(IllegalArgumentException.class);
        store.apply(updates.subList(0, 1));
        assertThat(endpoints()).containsExactly("10.0.0.1:8080");
    }

    @Test
    void aPodTouchesOnlyTheServicesThatMeanIt() {
        service(SIMPLE);
        cursor.take();
        run(pod("c", true, List.of(), Map.of("app", "db"), "10.0.0.3"));
        assertThat(unseen()).isEmpty();
        run(web("a", "10.0.0.1"));
        assertThat(unseen()).containsExactly(WEB);
        run(web("a", "10.0.0.1"));
        assertThat(unseen()).isEmpty();
    }

    @Test
    void namesOfPortsAreReadInEachPod() {
        service("""
            selector: {app: web}
            ports:
            - {name: http, port: 80, targetPort: http}
            - {name: dns, port: 53, protocol: UDP, targetPort: dns}
            """);
        run(
                pod(
                        "a",
                        true,
                        List.of(container(ContainerState.RUNNING, new ContainerPort("http", 8080, Proto.TCP))),
                        Map.of("app", "web"),
                        "10.0.0.1"),
                pod(
                        "b",
                        true,
                        List.of(container(
                                ContainerState.RUNNING,
                                new ContainerPort("http", 9090, Proto.TCP),
                                new ContainerPort("dns", 5353, Proto.UDP))),
                        Map.of("app", "web"),
                        "10.0.0.2"),
                pod(
                        "c",
                        true,
                        List.of(container(ContainerState.RUNNING, new ContainerPort("dns", 5353, Proto.TCP))),
                        Map.of("app", "web"),
                        "10.0.0.3"));
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "10.0.0.2:5353", "10.0.0.2:9090");
    }

    @Test
    void podThatDoesNotRunIsNotReady() {
        service(SIMPLE);
        Pod created = pod("a", true, List.of(container(ContainerState.CREATED)), Map.of("app", "web"), "10.0.0.1");
        run(created);
        assertThat(endpoints()).containsExactly("10.0.0.1:8080!");
        service(SIMPLE + "publishNotReadyAddresses: true\n");
        assertThat(endpoints()).containsExactly("10.0.0.1:8080");
    }

    @Test
    void headlessServicesHaveSlicesThatProxiesPassOver() {
        run(web("a", "10.0.0.1"));
        write("""
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {clusterIP: None, ipFamilies: [IPv4], selector: {app: web}}
            """);
        assertThat(store.service(WEB).slices()).singleElement().satisfies(slice -> {
            assertThat(slice.headless()).isTrue();
            assertThat(slice.ports()).isEmpty();
            assertThat(slice.endpoints()).hasSize(1);
        });
        assertThat(local.slices("")).singleElement().satisfies(made -> {
            assertThat(made.labels())
                    .containsOnly(
                            Map.entry("endpointslice.kubernetes.io/managed-by", GeneratedSlice.MANAGER),
                            Map.entry("kubernetes.io/service-name", "web"),
                            Map.entry("service.kubernetes.io/headless", ""));
            assertThat(made.slice().name()).matches("web-[a-z0-9]{5}");
            assertThat(made.targets()).containsExactly(new PodRef("shop", "a", "uid-a"));
        });
    }

    @Test
    void thereAreSlicesOfTheFamiliesOfTheServiceAlsoWithoutPods() {
        service(SIMPLE);
        assertThat(local.slices(""))
                .extracting(made -> made.slice().addressType())
                .containsExactlyInAnyOrder(EndpointSlice.AddressType.IPV4, EndpointSlice.AddressType.IPV6);
        List<String> names =
                local.slices("").stream().map(made -> made.slice().name()).toList();
        assertThat(names).doesNotHaveDuplicates();
        run(web("a", "10.0.0.1", "fd01::1"));
        assertThat(local.slices("")).extracting(made -> made.slice().name()).isEqualTo(names);
        write("""
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {clusterIP: "fd00:96::a", ipFamilies: [IPv6], selector: {app: web}, ports: [{port: 80}]}
            """);
        assertThat(endpoints()).containsExactly("fd01::1:80");
        store.apply(List.of(new Update.Gone(WEB_OBJECT)));
        assertThat(local.slices("")).isEmpty();
        assertThat(store.service(WEB).isGone()).isTrue();
    }

    @Test
    void publishedIsReadyButDoesNotServe() {
        service(SIMPLE + "publishNotReadyAddresses: true\n");
        run(pod("a", true, List.of(container(ContainerState.CREATED)), Map.of("app", "web"), "10.0.0.1"));
        assertThat(local.slices(""))
                .flatExtracting(made -> made.slice().endpoints())
                .extracting(EndpointSlice.Endpoint::conditions)
                .containsExactly(
                        new EndpointSlice.Conditions(Optional.of(true), Optional.of(false), Optional.of(false)));
    }

    @Test
    void slicesOfTheFolderStayBeside() {
        run(web("a", "10.0.0.1"));
        service(SIMPLE);
        slice("[{addresses: [10.9.0.9]}]");
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "10.9.0.9:80");
        store.apply(List.of(new Update.Gone(WEB_OBJECT)));
        assertThat(endpoints()).containsExactly("10.9.0.9:80");
    }

    @Test
    void hidesDeadPodWhateverSourceNamesIt() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1]}, {addresses: [10.0.0.2]}, {addresses: [10.7.0.7], nodeName: n2}]");
        run(web("a", "10.0.0.1"), web("b", "10.0.0.2"));
        assertThat(endpoints()).hasSize(3);
        cursor.take();
        run(dead("a", "10.0.0.1"), web("b", "10.0.0.2"));
        assertThat(unseen()).containsExactly(WEB);
        assertThat(endpoints()).containsExactly("10.0.0.2:80", "10.7.0.7:80");
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(1, 1, 1));
        assertThat(store.services().getFirst().slices().getFirst().endpoints()).hasSize(2);
        // The runtime no longer lists it; no source has changed.
        run(web("b", "10.0.0.2"));
        assertThat(endpoints()).hasSize(2);
        run(web("b", "10.0.0.2"), web("a2", "10.0.0.1"));
        assertThat(unseen()).containsExactly(WEB);
        assertThat(endpoints()).hasSize(3);
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(1, 1, 0));
    }

    /** Two thousand Services of ten addresses each, of which five name the pod. */
    @Test
    void aDeathLooksOnlyAtServicesThatNameThePod() {
        List<Update> many = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            StringBuilder addresses = new StringBuilder();
            for (int j = 0; j < 9; j++) {
                addresses
                        .append("{addresses: [10.")
                        .append(1 + i / 250)
                        .append('.')
                        .append(i % 250)
                        .append('.')
                        .append(j)
                        .append("]}, ");
            }
            addresses
                    .append("{addresses: [")
                    .append(i % 400 == 0 ? "10.0.0.1" : "10.200.0.9")
                    .append("]}");
            many.add(new Update.Put(Manifests.decode("many.yaml", """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s-%d, namespace: shop, labels: {kubernetes.io/service-name: s-%d}}
                addressType: IPv4
                ports: [{name: "", port: 80}]
                endpoints: [%s]
                """.formatted(i, i, addresses))
                    .objects()
                    .getFirst()
                    .object()));
        }
        store.apply(many);
        cursor.take();
        run(web("a", "10.0.0.1"), web("b", "10.0.0.2"));
        int portions = 0;
        for (AtomicBoolean more = new AtomicBoolean(true); more.get(); portions++) {
            store.locally(states -> {
                more.set(local.learn(states));
                return StoreOverlay.LocalChanges.NONE;
            });
        }
        assertThat(portions).isGreaterThan(5);
        assertThat(local.lookups()).isEqualTo(20_000);
        run(dead("a", "10.0.0.1"), web("b", "10.0.0.2"));
        assertThat(unseen()).hasSize(5);
        assertThat(local.lookups()).isEqualTo(20_000);
        slice("[{addresses: [10.0.0.2]}]");
        assertThat(local.lookups()).isEqualTo(20_001);
        run(web("a", "10.0.0.1"));
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(2, 6, 1));
    }

    @Test
    void theLastOneIsHiddenToo() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1]}]");
        run(web("a", "10.0.0.1"));
        run();
        assertThat(endpoints()).isEmpty();
    }

    @Test
    void changedEndpointOfTheSourceOverridesHiding() {
        service("ports: [{port: 80}]\n");
        String one = "[{addresses: [10.0.0.1], conditions: {ready: %s}}, {addresses: [10.0.0.2]}]";
        slice(one.formatted("true"));
        run(web("a", "10.0.0.1"));
        run(dead("a", "10.0.0.1"));
        // Others come and go: the source only repeats itself about this one.
        slice("[{addresses: [10.0.0.1]}, {addresses: [10.0.0.3]}]");
        assertThat(endpoints()).containsExactly("10.0.0.3:80");
        slice(one.formatted("false"));
        assertThat(endpoints()).containsExactly("10.0.0.2:80");
        slice(one.formatted("true"));
        assertThat(endpoints()).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        run(web("a", "10.0.0.1"));
        run(dead("a", "10.0.0.1"));
        assertThat(endpoints()).containsExactly("10.0.0.2:80");
        slice("[{addresses: [10.0.0.2]}]");
        slice("[{addresses: [10.0.0.2]}, {addresses: [10.0.0.1]}]");
        assertThat(endpoints()).hasSize(2);
    }

    @Test
    void addressReusedLaterIsNotHidden() {
        run(web("a", "10.0.0.1"));
        run(dead("a", "10.0.0.1"));
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1], nodeName: n2}]");
        assertThat(endpoints()).containsExactly("10.0.0.1:80");
    }

    /** Some networks give an address to a pod of any node, and a source may show both pods in one event, or in one list after an outage. */
    @Test
    void addressReusedOnAnotherNodeIsNotHidden() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1], nodeName: n1}, {addresses: [10.0.0.2], nodeName: n1}]");
        run(web("a", "10.0.0.1"), web("b", "10.0.0.2"));
        run(dead("a", "10.0.0.1"), web("b", "10.0.0.2"));
        assertThat(endpoints()).containsExactly("10.0.0.2:80");
        assertThat(local.count().hidden()).isEqualTo(1);
        slice("[{addresses: [10.0.0.1], nodeName: n2}, {addresses: [10.0.0.2], nodeName: n1}]");
        assertThat(endpoints()).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        assertThat(local.count().hidden()).isZero();
    }

    @Test
    void anEndpointOfAnotherNodeIsNotHidden() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1], nodeName: n2}]");
        run(web("a", "10.0.0.1"));
        run(dead("a", "10.0.0.1"));
        assertThat(endpoints()).containsExactly("10.0.0.1:80");
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(0, 0, 0));
    }

    /** An init container that ends leaves a pod in which nothing runs for a moment. */
    @Test
    void aPodThatWasNotReadyDoesNotFailOver() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [10.0.0.1], conditions: {ready: false}}]");
        Map<String, String> labels = Map.of("app", "web");
        run(pod("a", true, List.of(container(ContainerState.RUNNING)), labels, "10.0.0.1"));
        run(pod("a", true, List.of(container(ContainerState.EXITED)), labels, "10.0.0.1"));
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(0, 1, 1));
        run(pod("a", true, List.of(container(ContainerState.RUNNING)), labels, "10.0.0.1"));
        slice("[{addresses: [10.0.0.1]}]");
        run(pod("a", true, List.of(container(ContainerState.EXITED)), labels, "10.0.0.1"));
        assertThat(local.count()).isEqualTo(new LocalPods.FailoverCount(1, 2, 1));
    }

    /** The controller knows the probes of a pod and whether it is being deleted; its runtime does not. */
    @Test
    void inAClusterTheControllerMakesTheEndpoints() {
        LocalPods inCluster = new LocalPods("n1", false, true);
        Store other = new Store(inCluster, Optional.empty());
        other.markSynced();
        Pods alive = new Pods(List.of(web("a", "10.0.0.1", "fd01::1"), web("b", "10.0.0.2")));
        other.locally(states -> inCluster.changed(Pods.NONE, alive, states));
        other.apply(Manifests.decode("cluster.yaml", """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {clusterIP: 10.96.0.10, selector: {app: web}, ports: [{port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: "", port: 80}]
            endpoints: [{addresses: [10.0.0.1], conditions: {ready: false}}, {addresses: [10.0.0.2]}]
            """).objects().stream()
                .map(LocatedObject::object)
                .<Update>map(Update.Put::new)
                .toList());
        assertThat(other.service(WEB).slices())
                .flatExtracting(slice -> texts(slice).toList())
                .containsExactly("10.0.0.1:80!", "10.0.0.2:80");
        assertThat(inCluster.slices("")).isEmpty();
        // What is dead is hidden all the same.
        Pods one = new Pods(List.of(web("a", "10.0.0.1", "fd01::1"), dead("b", "10.0.0.2")));
        other.locally(states -> inCluster.changed(alive, one, states));
        assertThat(other.service(WEB).slices())
                .flatExtracting(slice -> texts(slice).toList())
                .containsExactly("10.0.0.1:80!");
    }

    @Test
    void theNodesOwnAddressesAreNeverHidden() {
        service("ports: [{port: 80}]\n");
        slice("[{addresses: [192.0.2.1]}]");
        Pod host = new Pod(
                "shop",
                "h",
                "u",
                new Pod.PodSandbox("i", 0, Instant.EPOCH, true, 0, true, false),
                true,
                List.of(Ip.parse("192.0.2.1")),
                Map.of(),
                List.of());
        run(host);
        run();
        assertThat(endpoints()).containsExactly("192.0.2.1:80");
    }

    @Test
    void podsOnTheHostsNetworkFollowTheAddressesOfTheNode() {
        service(SIMPLE);
        Pod host = new Pod(
                "shop",
                "h",
                "u",
                new Pod.PodSandbox("i", 0, Instant.EPOCH, true, 0, true, false),
                true,
                List.of(Ip.parse("2001:db8::1")),
                Map.of("app", "web"),
                List.of());
        run(host);
        assertThat(endpoints()).containsExactly("2001:db8::1:8080");
        Pods before = pods;
        pods = new Pods(List.of(host), List.of(Ip.parse("192.0.2.1"), Ip.parse("2001:db8::2")));
        store.locally(states -> local.changed(before, pods, states));
        assertThat(endpoints()).containsExactly("192.0.2.1:8080", "2001:db8::2:8080");
    }

    @Test
    void itCanBeSwitchedOff() {
        LocalPods off = new LocalPods("n1", false);
        Store other = new Store(off, Optional.empty());
        slice("[{addresses: [10.0.0.1]}]");
        Pods alive = new Pods(List.of(web("a", "10.0.0.1")));
        other.locally(states -> off.changed(Pods.NONE, alive, states));
        other.locally(states -> off.changed(alive, Pods.NONE, states));
        assertThat(off.count().addresses()).isZero();
        assertThat(endpoints()).containsExactly("10.0.0.1:80");
    }

    /** These names begin alike and have the same hash code, so that the names of their slices in an API server's form are the same. */
    @Test
    void servicesWithLongNamesHaveSlicesOfTheirOwn() {
        run(web("one", "10.0.0.1"));
        String begin = "a".repeat(61);
        for (String end : List.of("c0", "an")) {
            write("""
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: shop}
                spec: {clusterIP: 10.96.0.%d, selector: {app: web}, ports: [{port: 80}]}
                """.formatted(begin + end, end.equals("an") ? 11 : 10));
        }
        for (String end : List.of("c0", "an")) {
            assertThat(store.service(new ServiceKey("shop", begin + end)).slices().stream()
                            .flatMap(LocalPodsTest::texts))
                    .as(end)
                    .containsExactly("10.0.0.1:80");
        }
    }

    /** The author of a pod gives its uid to a runtime without a kubelet, and a copied file has that of the original. */
    @Test
    void podsWithTheSameUidAreDifferentPods() {
        service(SIMPLE);
        Pod one = copyOf(web("one", "10.0.0.1"), "one");
        Pod two = copyOf(web("two", "10.0.0.2"), "two");
        run(one, two);
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "10.0.0.2:8080");
        run(one, copyOf(web("two", "10.0.0.3"), "two"));
        assertThat(endpoints()).containsExactly("10.0.0.1:8080", "10.0.0.3:8080");
        run(one);
        assertThat(endpoints()).containsExactly("10.0.0.1:8080");
    }

    private static Pod copyOf(Pod pod, String name) {
        return new Pod(
                pod.namespace(),
                name,
                "copied",
                pod.sandbox(),
                pod.onHostNetwork(),
                pod.ips(),
                pod.labels(),
                pod.containers());
    }
}
