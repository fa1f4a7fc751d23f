package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.OwnNode;
import io.dualstackd.admin.Reports;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.standalone.edit.FileEdit;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.LedgerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String WEB = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop, labels: {app: web}}
            spec:
              type: NodePort
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00:96::a"]
              ipFamilies: [IPv4, IPv6]
              ipFamilyPolicy: RequireDualStack
              externalTrafficPolicy: Cluster
              internalTrafficPolicy: Cluster
              sessionAffinity: None
              selector: {tier: front, app: web}
              ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP, nodePort: 30080}, {name: dns, port: 53, protocol: UDP, targetPort: dns, nodePort: 30053}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: db, namespace: shop}
            spec: {clusterIP: None, clusterIPs: [None], ipFamilies: [IPv6], type: ClusterIP, sessionAffinity: None}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: lb}
            spec: {type: LoadBalancer, clusterIP: 10.96.0.11, clusterIPs: [10.96.0.11], externalIPs: [192.0.2.9], ports: [{port: 443, protocol: TCP}]}
            status: {loadBalancer: {ingress: [{ip: 198.51.100.7, ipMode: VIP}, {ip: "2001:db8::7", ipMode: VIP}]}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: ext}
            spec: {type: ExternalName, externalName: example.com}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints: [{addresses: [10.0.0.1]}, {addresses: [10.0.0.2]}, {addresses: [10.0.0.3]}, {addresses: [10.0.0.4]}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-6, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv6
            ports: [{name: http, port: 8080}, {name: dns, port: 53, protocol: UDP}]
            endpoints: [{addresses: ["fd01::1"], conditions: {ready: false}, nodeName: n1}]
            """;

    private final Store store = new Store();
    private Optional<List<GeneratedSlice>> made = Optional.of(List.of());
    private final List<Problem> problems = new ArrayList<>();
    private Optional<LedgerView> ledger = Optional.empty();
    private Map<ServiceKey, String> leftOut = Map.of();
    private WholeObjects whole = WholeObjects.ofManifests(
            key -> {
                FileEdit file = new FileEdit("web.yaml", WEB, Dialect.STORED);
                return file.decoded().find(key).flatMap(locatedObject -> file.whole(locatedObject.object()));
            },
            key -> Optional.empty());

    ObjectsTest() {
        store.apply(Manifests.decode("web.yaml", WEB).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
    }

    private ObjectsReport report() {
        return ObjectsReportBuilder.services(store.services(), whole)
                .generated(made)
                .cidrs(List.of(new ServiceCidr("pods", List.of(IpPrefix.parse("10.96.0.0/16")))))
                .ledger(ledger)
                .problems(problems)
                .leftOut(leftOut)
                .madeAt(NOW)
                .report();
    }

    private String get(String kind, Listing.Format format, String namespace, String name) {
        return get(List.of(target(kind, name)), format, namespace, "");
    }

    private static Listing.Target target(String kind, String name) {
        return new Listing.Target(
                ObjectKind.named(kind).orElseThrow(), Optional.of(name).filter(n -> !n.isEmpty()));
    }

    private String get(List<Listing.Target> targets, Listing.Format format, String namespace, String selector) {
        Listing.Result result = new Listing(
                        targets,
                        format,
                        Optional.of(namespace).filter(n -> !n.isEmpty()),
                        LabelSelector.parse(selector))
                .of(new KnownObjects(report(), Optional.empty(), OwnNode.of(Reports.healthy())));
        return switch (result) {
            case Listing.Result.Text(String text, List<Listing.Target> missing) ->
                text + (missing.isEmpty() ? "" : "not found");
            case Listing.Result.Refused(String why) -> "refused: " + why;
        };
    }

    private String table(String kind, String namespace) {
        return get(kind, Listing.Format.TEXT, namespace, "");
    }

    private void settled() {
        Instant day = NOW.minusSeconds(86_400);
        List<Entry> entries = new ArrayList<>();
        Manifests.decode("web.yaml", WEB, Dialect.WRITTEN).objects().forEach(locatedObject -> {
            if (locatedObject.object() instanceof WrittenService service) {
                entries.add(new Entry.ServiceEntry(service.key(), NOW.minusSeconds(200), service.tree()));
            }
        });
        entries.add(new Entry.CidrEntry(
                cidr("kubernetes"),
                day.minusSeconds(86_400 * 2),
                List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                Optional.empty(),
                false));
        entries.add(new Entry.CidrEntry(
                cidr("old"), day, List.of(IpPrefix.parse("10.97.0.0/16")), Optional.of(NOW.minusSeconds(5)), true));
        entries.add(new Entry.AddressEntry(
                day, new IpAddress(Ip.parse("fd00:96::a"), IpAddress.Parent.service("shop", "web"), true)));
        entries.add(new Entry.AddressEntry(
                day,
                new IpAddress(Ip.parse("10.97.0.1"), new IpAddress.Parent("example.com", "hosts", "", "h1"), false)));
        ledger = Optional.of(new LedgerView(
                entries,
                List.of(new LedgerView.Waiting("old", Optional.of("10.97.0.1"))),
                List.of(new Event(
                        new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web"),
                        Event.Type.WARNING,
                        "ClusterIPNotAllocated",
                        "Cluster IP [IPv6]: fd00:96::a is not allocated; repairing",
                        NOW.minusSeconds(120),
                        NOW.minusSeconds(5),
                        3)),
                List.of()));
    }

    private static ObjectKey cidr(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", name);
    }

    @Test
    void servicesAsKubectlPrintsThem() {
        settled();
        assertThat(table("svc", "shop")).isEqualTo("""
                NAME   TYPE        CLUSTER-IP              EXTERNAL-IP   PORT(S)                     AGE
                db     ClusterIP   None                    <none>        <none>                      3m20s
                web    NodePort    10.96.0.10,fd00:96::a   <none>        80:30080/TCP,53:30053/UDP   3m20s
                """);
        assertThat(table("services", "")).isEqualTo("""
                NAMESPACE   NAME   TYPE           CLUSTER-IP              EXTERNAL-IP                  PORT(S)                     AGE
                default     ext    ExternalName   <none>                  example.com                  <none>                      3m20s
                default     lb     LoadBalancer   10.96.0.11              198.51.100.7,...,192.0.2.9   443/TCP                     3m20s
                shop        db     ClusterIP      None                    <none>                       <none>                      3m20s
                shop        web    NodePort       10.96.0.10,fd00:96::a   <none>                       80:30080/TCP,53:30053/UDP   3m20s
                """);
        assertThat(get("service", Listing.Format.WIDE, "shop", "web")).isEqualTo("""
                NAME   TYPE       CLUSTER-IP              EXTERNAL-IP   PORT(S)                     AGE     SELECTOR
                web    NodePort   10.96.0.10,fd00:96::a   <none>        80:30080/TCP,53:30053/UDP   3m20s   app=web,tier=front
                """);
        assertThat(get("service", Listing.Format.NAME, "shop", "")).isEqualTo("service/db\nservice/web\n");
        assertThat(get("service", Listing.Format.TEXT, "shop", "lost")).isEqualTo("not found");
        assertThat(table("services", "nobody")).isEmpty();
    }

    /** Without a ledger the same list is made from the objects of the store, without their ages. */
    @Test
    void servicesThatAreTakenAsTheyAreWritten() {
        assertThat(get("services", Listing.Format.WIDE, "shop", "")).isEqualTo("""
                NAME   TYPE        CLUSTER-IP              EXTERNAL-IP   PORT(S)                     AGE         SELECTOR
                db     ClusterIP   None                    <none>        <none>                      <unknown>   <none>
                web    NodePort    10.96.0.10,fd00:96::a   <none>        80:30080/TCP,53:30053/UDP   <unknown>   app=web,tier=front
                """);
        assertThat(get("services", Listing.Format.YAML, "shop", "web")).startsWith("""
                apiVersion: v1
                kind: Service
                metadata:
                  labels:
                    app: web
                  name: web
                  namespace: shop
                spec:
                  clusterIP: 10.96.0.10
                  clusterIPs:
                  - 10.96.0.10
                  - fd00:96::a
                """);
        assertThat(get("service", Listing.Format.YAML, "default", "ext")).isEqualTo("""
                apiVersion: v1
                kind: Service
                metadata:
                  name: ext
                  namespace: default
                spec:
                  externalName: example.com
                  type: ExternalName
                """);
    }

    @Test
    void aServiceOfAnApiServerHasItsAge() {
        whole = WholeObjects.ELSEWHERE;
        store.apply(Manifests.decode("old.yaml", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: old, creationTimestamp: "%s"}
                        spec: {clusterIP: 10.96.0.13, ports: [{port: 80}]}
                        """.formatted(NOW.minusSeconds(45))).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        assertThat(get("services", Listing.Format.TEXT, "default", "old")).endsWith("   45s\n");
        assertThat(get("services", Listing.Format.TEXT, "default", "lb")).endsWith("   <unknown>\n");
    }

    @Test
    void aDescriptionHasTheLabelsAndAnnotationsOfTheManifest() {
        whole = WholeObjects.ofManifests(
                key -> Optional.of(Tree.object(
                        "metadata",
                        Tree.object("labels", Tree.object("app", "web"))
                                .with("annotations", Tree.object("note", "of the file")))),
                key -> Optional.empty());
        assertThat(ServiceDescription.of(report(), "shop", "web").orElseThrow().text())
                .contains("\nLabels:                   app=web\nAnnotations:              note: of the file\n");
        KnownObjects known = new KnownObjects(report(), Optional.empty(), OwnNode.of(Reports.healthy()));
        assertThat(ObjectDescription.of(
                        known, known.all(ObjectKind.ENDPOINT_SLICES).getFirst()))
                .contains("\nLabels:               app=web\nAnnotations:          note: of the file\n");
    }

    /** Also where an API server has the objects, and no text of them is at hand. */
    @Test
    void whatIsKeptOfAServiceIsShown() {
        whole = WholeObjects.ELSEWHERE;
        store.apply(Manifests.decode("more.yaml", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: theirs, labels: {service.kubernetes.io/service-proxy-name: ""}}
                        spec:
                          type: LoadBalancer
                          clusterIP: 10.96.0.12
                          ports: [{port: 443}]
                          loadBalancerSourceRanges: [198.51.100.0/24, "2001:db8::/64"]
                        """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        assertThat(get("services", Listing.Format.TEXT, "default", "ext")).isEqualTo("""
                NAME   TYPE           CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE
                ext    ExternalName   <none>       example.com   <none>    <unknown>
                """);
        assertThat(ServiceDescription.of(report(), "default", "ext")
                        .orElseThrow()
                        .text())
                .contains("\nExternal Name:            example.com\n");
        assertThat(ServiceDescription.of(report(), "default", "theirs")
                        .orElseThrow()
                        .text())
                .contains("\nLoadBalancer Source Ranges: 198.51.100.0/24,2001:db8::/64\n")
                .contains("\nProblems:                 The label service.kubernetes.io/service-proxy-name="
                        + " leaves it to another proxy; ");
    }

    /** What is kept of an API server's objects would lose source ranges when it is applied. */
    @Test
    void incompleteObjectIsNotPrinted() {
        whole = WholeObjects.ELSEWHERE;
        for (Listing.Format format : List.of(Listing.Format.YAML, Listing.Format.JSON)) {
            assertThat(get("services", format, "", ""))
                    .isEqualTo(
                            "refused: Service default/ext cannot be printed as an object: only what a proxy needs of it"
                                    + " is kept here, not the whole object; print it with 'kubectl get -o yaml', or see what is"
                                    + " in force here with 'dualstackd get -o wide' and 'dualstackd describe'");
            assertThat(get("endpointslices", format, "shop", "web-4")).startsWith("refused: EndpointSlice shop/web-4");
            assertThat(get("servicecidrs", format, "", "pods")).startsWith("refused: ServiceCIDR pods cannot");
        }
        assertThat(get("services", Listing.Format.NAME, "shop", "")).isEqualTo("service/db\nservice/web\n");
    }

    @Test
    void slicesAsKubectlPrintsThem() {
        assertThat(table("endpointslices.discovery.k8s.io", "shop"))
                .isEqualTo("""
                NAME    ADDRESSTYPE   PORTS     ENDPOINTS                                 AGE
                web-4   IPv4          8080      10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...   <unknown>
                web-6   IPv6          8080,53   fd01::1                                  <unknown>
                """.replace("                                 AGE", "                                AGE"));
        assertThat(get("endpointslice", Listing.Format.YAML, "shop", "web-6"))
                .contains("addressType: IPv6\n", "    ready: false\n", "  nodeName: n1\n", "name: http\n");
    }

    @Test
    void aMirroredSliceShowsItsHostnames() {
        EndpointSlice.Endpoint endpoint = new EndpointSlice.Endpoint(
                Ip.parse("192.0.2.5"), EndpointSlice.Conditions.NONE, "n1", Set.of(), Set.of(), "first");
        store.apply(List.of(new Update.Put(new EndpointSlice(
                "shop",
                "db-ipv4-1:mirrored",
                Optional.of("db"),
                false,
                EndpointSlice.AddressType.IPV4,
                List.of(),
                List.of(endpoint),
                Optional.empty()))));
        assertThat(get("endpointslices", Listing.Format.YAML, "shop", "db-ipv4-1"))
                .contains("  hostname: first\n  nodeName: n1\n");
    }

    /** Such are those of {@code --dns-listen}: one that could not be printed would keep all others from being printed. */
    @Test
    void aSliceThatIsMadeHereIsPrintedWhole() {
        store.apply(List.of(new Update.Put(new EndpointSlice(
                "kube-system",
                "kube-dns-ipv4-10053:dns",
                Optional.of("kube-dns"),
                false,
                EndpointSlice.AddressType.IPV4,
                List.of(),
                List.of(),
                Optional.empty()))));
        assertThat(get("endpointslices", Listing.Format.NAME, "", "")).contains("/kube-dns-ipv4-10053\n", "/web-4\n");
        assertThat(get("endpointslices", Listing.Format.YAML, "", ""))
                .contains("    name: kube-dns-ipv4-10053\n", "    name: web-4\n");
        assertThat(get(List.of(target("endpointslices", "")), Listing.Format.NAME, "", "app=none"))
                .isEmpty();
    }

    @Test
    void networksAndAddressesAsKubectlPrintsThem() {
        assertThat(table("servicecidr", "default"))
                .isEqualTo("NAME   CIDRS          AGE\npods   10.96.0.0/16   <unknown>\n");
        assertThat(table("ipaddresses", "default")).isEmpty();
        settled();
        assertThat(table("servicecidrs", "default")).isEqualTo("""
                NAME         CIDRS                        AGE
                kubernetes   10.96.0.0/16,fd00:96::/112   3d
                old          10.97.0.0/16                 24h
                """);
        assertThat(table("ip", "")).isEqualTo("""
                NAME         PARENTREF               AGE
                fd00:96::a   services/shop/web       24h
                10.97.0.1    hosts.example.com/h1    24h
                """.replace("hosts.example.com/h1    ", "hosts.example.com/h1   ")
                .replace("services/shop/web       ", "services/shop/web      ")
                .replace("PARENTREF               ", "PARENTREF              "));
        assertThat(get("servicecidr", Listing.Format.YAML, "", "old"))
                .contains("reason: Terminating", "10.97.0.1", "deletionTimestamp");
        assertThat(get("ip", Listing.Format.JSON, "", "fd00:96::a"))
                .contains("\"ipaddress.kubernetes.io/ip-family\" : \"IPv6\"", "\"resource\" : \"services\"");
    }

    @Test
    void eventsAsKubectlPrintsThem() {
        settled();
        assertThat(table("events", "shop")).isEqualTo("""
                LAST SEEN         TYPE      REASON                  OBJECT        MESSAGE
                5s (x3 over 2m)   Warning   ClusterIPNotAllocated   service/web   Cluster IP [IPv6]: fd00:96::a is not allocated; repairing
                """);
        assertThat(table("ev", "default")).isEmpty();
    }

    @Test
    void aListOfObjectsForPrograms() {
        settled();
        assertThat(get("svc", Listing.Format.JSON, "", ""))
                .startsWith("{\n  \"apiVersion\" : \"v1\",\n  \"items\" : [")
                .contains("\"kind\" : \"List\"");
    }

    /** If no container runtime is configured, the advice is to configure one, not to look for pods. */
    @Test
    void whyASelectorHasNoEndpoint() {
        store.apply(Manifests.decode("lone.yaml", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: lone}
                        spec: {clusterIP: 10.96.0.12, selector: {app: lone}, ports: [{port: 80}]}
                        """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        assertThat(ServiceDescription.of(report(), "default", "lone")
                        .orElseThrow()
                        .text())
                .contains("No running pod of this node with app=lone has an IPv4 address");
        made = Optional.empty();
        assertThat(ServiceDescription.of(report(), "default", "lone")
                        .orElseThrow()
                        .text())
                .contains("Pods are not known here; start the daemon with --cri")
                .doesNotContain("No running pod");
    }

    /** That no endpoint is on a node is what a policy Local is for; that one of two families lacks it is hardly meant. */
    @Test
    void reportsFamilyWithoutLocalEndpoints() {
        store.apply(Manifests.decode("near.yaml", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: near, namespace: shop}
                        spec:
                          type: NodePort
                          clusterIP: 10.96.0.20
                          clusterIPs: [10.96.0.20, "fd00:96::20"]
                          ipFamilies: [IPv4, IPv6]
                          ipFamilyPolicy: RequireDualStack
                          externalTrafficPolicy: Local
                          internalTrafficPolicy: Local
                          ports: [{port: 80, protocol: TCP, nodePort: 30020}]
                        ---
                        apiVersion: discovery.k8s.io/v1
                        kind: EndpointSlice
                        metadata: {name: near-4, namespace: shop, labels: {kubernetes.io/service-name: near}}
                        addressType: IPv4
                        ports: [{port: 8080}]
                        endpoints: [{addresses: [10.0.0.1], nodeName: n1}]
                        ---
                        apiVersion: discovery.k8s.io/v1
                        kind: EndpointSlice
                        metadata: {name: near-6, namespace: shop, labels: {kubernetes.io/service-name: near}}
                        addressType: IPv6
                        ports: [{port: 8080}]
                        endpoints: [{addresses: ["fd01::1"], nodeName: n2}]
                        """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        ServiceDescription.Result uneven =
                ServiceDescription.of(report(), "shop", "near").orElseThrow();
        assertThat(uneven.healthy()).isFalse();
        assertThat(uneven.text())
                .contains("""
                        Endpoints (IPv6):         fd01::1
                        Nothing local (IPv6):     internalTrafficPolicy is Local: what pods and processes of this node send to the ClusterIP is dropped
                                                  externalTrafficPolicy is Local: what comes from outside to this node is dropped
                        """)
                .contains("Nothing local here on IPv6, though the other family has an endpoint on this node: ")
                .doesNotContain("Nothing local (IPv4)");
        store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, "shop", "near-4"))));
        store.apply(Manifests.decode("far.yaml", """
                        apiVersion: discovery.k8s.io/v1
                        kind: EndpointSlice
                        metadata: {name: near-5, namespace: shop, labels: {kubernetes.io/service-name: near}}
                        addressType: IPv4
                        ports: [{port: 8080}]
                        endpoints: [{addresses: [10.0.0.2], nodeName: n2}]
                        """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        ServiceDescription.Result even =
                ServiceDescription.of(report(), "shop", "near").orElseThrow();
        assertThat(even.text())
                .contains("Nothing local (IPv4):     ", "Nothing local (IPv6):     ")
                .doesNotContain("Nothing local here");
        assertThat(even.healthy()).isTrue();
    }

    private static final String ROLLING = """
            apiVersion: v1
            kind: Service
            metadata: {name: roll, namespace: shop}
            spec:
              type: NodePort
              clusterIP: 10.96.0.30
              externalTrafficPolicy: Local
              ports: [{name: http, port: 80, protocol: TCP, nodePort: 30031}]
            """;

    private void put(String text) {
        store.apply(Manifests.decode("more.yaml", text).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
    }

    private static String slice(String name, int port, String endpoints) {
        return """
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %s, namespace: shop, labels: {kubernetes.io/service-name: roll}}
                addressType: IPv4
                ports: [{name: http, port: %d}]
                endpoints: [%s]
                """.formatted(name, port, endpoints);
    }

    /** Two versions of a pod may call different ports by the name that the Service refers to; they are in different slices. */
    @Test
    void eachEndpointWithThePortOfItsSlice() {
        put(ROLLING
                + slice("roll-1", 8080, "{addresses: [10.0.0.1]}, {addresses: [10.0.0.3]}")
                + slice("roll-2", 9090, "{addresses: [10.0.0.2]}, {addresses: [10.0.0.4], conditions: {ready: false}}")
                + slice("roll-3", 8080, "{addresses: [10.0.0.3]}"));
        assertThat(ServiceDescription.of(report(), "shop", "roll").orElseThrow().text())
                .contains("Endpoints:                10.0.0.1:8080,10.0.0.3:8080,10.0.0.2:9090\n")
                .contains("Endpoints (IPv4):         10.0.0.1,10.0.0.3,10.0.0.2\n")
                .contains("Not ready (IPv4):         10.0.0.4\n");
    }

    /** Where nothing is ready any more, rules lead to endpoints that terminate and still serve. */
    @Test
    void endpointsThatTerminateTakeConnectionsWhenNoOtherDoes() {
        String leaving = "conditions: {ready: false, serving: true, terminating: true}";
        put(ROLLING + slice("roll-1", 8080, "{addresses: [10.0.0.1], nodeName: n1, " + leaving + "}"));
        assertThat(Frontends.of(report(), Optional.of("shop")).rows())
                .filteredOn(row -> row.port().name().service().name().equals("roll"))
                .hasSize(2)
                .allMatch(row -> row.state().equals("ok") && row.endpoints().size() == 1);
        ServiceDescription.Result result =
                ServiceDescription.of(report(), "shop", "roll").orElseThrow();
        assertThat(result.text())
                .contains("Endpoints:                10.0.0.1:8080\n")
                .contains("No endpoint is ready on IPv4; connections go to those that terminate, as long as they serve:"
                        + " 10.0.0.1.")
                .doesNotContain("refused");

        // A ready one elsewhere: this node's own still serves what comes from outside.
        put(slice("roll-2", 8080, "{addresses: [10.0.0.2], nodeName: n2}"));
        assertThat(Frontends.of(report(), Optional.of("shop")).rows())
                .filteredOn(row -> row.port().name().service().name().equals("roll"))
                .extracting(row -> row.kind() + " " + row.state())
                .containsExactly("ClusterIP ok", "NodePort ok");

        put(slice("roll-1", 8080, ""));
        assertThat(Frontends.of(report(), Optional.of("shop")).rows())
                .filteredOn(row -> row.port().name().service().name().equals("roll"))
                .extracting(row -> row.kind() + " " + row.state())
                .containsExactly("ClusterIP ok", "NodePort no local endpoint");
    }

    /** Otherwise it could add lines of its own, about what is wrong for example. */
    @Test
    void anAnnotationOfSeveralLinesIsDescribedInOne() {
        String text = """
                apiVersion: v1
                kind: Service
                metadata: {name: noted, annotations: {note: "one\\nProblems: none"}}
                spec: {type: ExternalName, externalName: example.com}
                """;
        admitted(text);
        assertThat(ServiceDescription.of(report(), "default", "noted")
                        .orElseThrow()
                        .text())
                .contains("Annotations:              note: one\\nProblems: none\n");
    }

    /** A ledger has these Services, and no other. */
    private void admitted(String text) {
        List<Entry> entries = new ArrayList<>();
        Manifests.decode("more.yaml", text, Dialect.WRITTEN).objects().forEach(locatedObject -> {
            if (locatedObject.object() instanceof WrittenService service) {
                entries.add(new Entry.ServiceEntry(service.key(), NOW, service.tree()));
            }
        });
        ledger = Optional.of(new LedgerView(entries, List.of(), List.of(), List.of()));
    }

    /** A proxy serves what has no such label. */
    @ParameterizedTest
    @ValueSource(strings = {"other", ""})
    void aServiceOfAnotherProxySaysSo(String proxy) {
        admitted("""
                apiVersion: v1
                kind: Service
                metadata: {name: theirs, labels: {service.kubernetes.io/service-proxy-name: "%s"}}
                spec: {type: ExternalName, externalName: example.com}
                """.formatted(proxy));
        assertThat(ServiceDescription.of(report(), "default", "theirs")
                        .orElseThrow()
                        .text())
                .contains("Problems:                 The label service.kubernetes.io/service-proxy-name=" + proxy
                        + " leaves it to another proxy; ");
    }

    @Test
    void aDescriptionOfAService() {
        settled();
        problems.add(new Problem(
                Problem.Severity.ERROR,
                new Place.InFile("web.yaml", 1, 5, "spec.type"),
                "Service shop/web",
                "Nodeport",
                "must be one of ClusterIP"));
        leftOut = Map.of(new ServiceKey("shop", "web"), "IPv4: no space");
        ServiceDescription.Result result =
                ServiceDescription.of(report(), "shop", "web").orElseThrow();
        assertThat(result.healthy()).isFalse();
        assertThat(result.text()).isEqualTo("""
                Name:                     web
                Namespace:                shop
                Labels:                   app=web
                Annotations:              <none>
                Selector:                 app=web,tier=front
                Type:                     NodePort
                IP Family Policy:         RequireDualStack
                IP Families:              IPv4,IPv6
                IP:                       10.96.0.10
                IPs:                      10.96.0.10,fd00:96::a
                Port:                     http  80/TCP
                TargetPort:               8080/TCP
                NodePort:                 http  30080/TCP
                Endpoints:                10.0.0.1:8080,10.0.0.2:8080,10.0.0.3:8080,10.0.0.4:8080
                Port:                     dns  53/UDP
                TargetPort:               dns/UDP
                NodePort:                 dns  30053/UDP
                Endpoints:                <none>
                Session Affinity:         None
                External Traffic Policy:  Cluster
                Internal Traffic Policy:  Cluster
                Endpoints (IPv4):         10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4
                Endpoints (IPv6):         <none>
                Not ready (IPv6):         fd01::1
                Events:
                  Type      Reason                  Age               From         Message
                  ----      ------                  ----              ----         -------
                  Warning   ClusterIPNotAllocated   5s (x3 over 2m)   dualstackd   Cluster IP [IPv6]: fd00:96::a is not allocated; repairing
                Problems:                 Refused, the previous version stays in force: web.yaml:5 (document 1): spec.type: "Nodeport": must be one of ClusterIP. Correct the file; it is read again at once.
                                          No endpoint on IPv4 has the port "dns": connections to it are refused.
                                          No endpoint is ready on IPv6: connections are refused (not ready: fd01::1).
                                          The kernel refuses its rules: IPv4: no space. It is tried again when it changes, and every few minutes.
                """);
        assertThat(ServiceDescription.of(report(), "shop", "lost")).isEmpty();
        assertThat(ServiceDescription.of(report(), "default", "ext")
                        .orElseThrow()
                        .healthy())
                .isTrue();
    }

    @Test
    void aServiceThatNeverCameIntoForce() {
        problems.add(new Problem(
                Problem.Severity.ERROR,
                new Place.InFile("new.yaml", 1, 7, "spec.clusterIPs"),
                "Service shop/new",
                "",
                "range is full"));
        ServiceDescription.Result result =
                ServiceDescription.of(report(), "shop", "new").orElseThrow();
        assertThat(result.healthy()).isFalse();
        assertThat(result.text())
                .contains("It is not in force.", "range is full")
                .containsPattern("Events: +<none>");

        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "new");
        Instant first = NOW.minusSeconds(1).plusMillis(900);
        ObjectsReport withEvent = ObjectsReportBuilder.services(store.services(), whole)
                .problems(problems)
                .events(List.of(
                        new Event(key, Event.Type.WARNING, "ManifestRefused", "range is full", first, first, 1)))
                .madeAt(NOW)
                .report();
        assertThat(ServiceDescription.of(withEvent, "shop", "new").orElseThrow().text())
                .containsPattern("\n  Warning +ManifestRefused +1s +dualstackd +range is full\n");
        assertThat(withEvent.all(ObjectKind.EVENTS).getFirst().created()).contains(NOW.minusSeconds(1));
    }

    @Test
    void slicesOfPodsAreShownAsAControllerWritesThem() {
        Pods pods = new Pods(List.of(new Pod(
                "shop",
                "a",
                "uid-a",
                new Pod.PodSandbox("id-a", 0, Instant.EPOCH, true, 0, true),
                false,
                List.of(Ip.parse("10.0.0.1")),
                Map.of("app", "made"),
                List.of())));
        LocalPods local = new LocalPods("n1", true);
        Store other = new Store(local, Optional.empty());
        other.locally(states -> local.changed(Pods.NONE, pods, states));
        other.apply(Manifests.decode("made.yaml", """
            apiVersion: v1
            kind: Service
            metadata: {name: made, namespace: shop}
            spec: {clusterIP: 10.96.0.99, selector: {app: made}, ports: [{name: http, port: 80, targetPort: 8080}]}
            """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        List<GeneratedSlice> slices = local.slices("z1");
        made = Optional.of(slices);
        String name = slices.getFirst().slice().name();
        assertThat(get("endpointslices", Listing.Format.YAML, "shop", name)).isEqualTo("""
            addressType: IPv4
            apiVersion: discovery.k8s.io/v1
            endpoints:
            - addresses:
              - 10.0.0.1
              conditions:
                ready: true
                serving: true
                terminating: false
              nodeName: n1
              targetRef:
                kind: Pod
                name: a
                namespace: shop
                uid: uid-a
              zone: z1
            kind: EndpointSlice
            metadata:
              generateName: made-
              labels:
                endpointslice.kubernetes.io/managed-by: endpointslice-controller.dualstackd.io
                kubernetes.io/service-name: made
              name: %s
              namespace: shop
              ownerReferences:
              - apiVersion: v1
                blockOwnerDeletion: true
                controller: true
                kind: Service
                name: made
            ports:
            - name: http
              port: 8080
              protocol: TCP
            """.formatted(name));
    }
}
