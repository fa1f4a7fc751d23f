package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.OwnNode;
import io.dualstackd.admin.Reports;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.standalone.ledger.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code describe} says of a Service, and of what does not work. */
final class DescriptionTest extends ObjectsFixture {
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

    /** Endpoints come from the API server there, whether or not a container runtime is followed. */
    @Test
    void adviceInAClusterIsAboutTheApiServer() {
        whole = WholeObjects.ELSEWHERE;
        store.apply(Manifests.decode("lone.yaml", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: lone}
                        spec: {clusterIP: 10.96.0.12, selector: {app: lone}, ports: [{port: 80}]}
                        ---
                        apiVersion: v1
                        kind: Service
                        metadata: {name: late}
                        spec: {selector: {app: late}, ports: [{port: 80}]}
                        """).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
        for (boolean runtime : new boolean[] {true, false}) {
            made = runtime ? Optional.of(List.of()) : Optional.empty();
            assertThat(ServiceDescription.of(report(), "default", "lone")
                            .orElseThrow()
                            .text())
                    .contains("No endpoint on IPv4: connections are refused. The API server lists no IPv4 endpoint for"
                            + " it; see 'kubectl get endpointslices -n default -l kubernetes.io/service-name=lone',"
                            + " and whether the pods with app=lone have IPv4 addresses.")
                    .doesNotContain("--cri", "No running pod");
        }
        assertThat(ServiceDescription.of(report(), "default", "late")
                        .orElseThrow()
                        .text())
                .contains("It has no cluster IP; the API server assigns one ('kubectl describe service').");
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

    /** The rules lead an address that several Services name to the one that had it first. */
    @Test
    void aDestinationIsShownAtTheServiceThatHoldsIt() {
        put("""
                apiVersion: v1
                kind: Service
                metadata: {name: a, namespace: shop}
                spec: {type: ClusterIP, clusterIP: 10.96.0.20, clusterIPs: [10.96.0.20], externalIPs: [192.0.2.9], ports: [{port: 443, protocol: TCP}]}
                """);
        assertThat(Frontends.of(report(), Optional.empty()).rows())
                .filteredOn(row -> row.address().equals(Ip.parse("192.0.2.9")))
                .singleElement()
                .extracting(row -> row.port().name().service().name())
                .isEqualTo("lb");
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
}
