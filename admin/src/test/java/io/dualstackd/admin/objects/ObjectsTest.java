package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.standalone.edit.FileEdit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@code get} prints. */
final class ObjectsTest extends ObjectsFixture {
    /** Applied again, what is in force alone would lose the labels and networks of the manifest. */
    @Test
    void aNodeOfAManifestIsPrintedAsItIsWritten() {
        assertThat(get("nodes", Listing.Format.YAML, "", "node-1")).contains("InternalIP");
        FileEdit file = new FileEdit("node.yaml", """
                apiVersion: v1
                kind: Node
                metadata:
                  labels:
                    topology.kubernetes.io/zone: a
                  name: node-1
                spec:
                  podCIDRs:
                  - 10.0.0.0/24
                """, Dialect.STORED);
        whole = WholeObjects.ofManifests(
                key -> file.decoded().find(key).flatMap(found -> file.whole(found.object())), key -> Optional.empty());
        assertThat(get("nodes", Listing.Format.YAML, "", "node-1"))
                .contains("topology.kubernetes.io/zone: a", "- 10.0.0.0/24")
                .doesNotContain("InternalIP");
        assertThat(get(List.of(target("nodes", "")), Listing.Format.NAME, "", "topology.kubernetes.io/zone=a"))
                .isEqualTo("node/node-1\n");
        assertThat(get("nodes", Listing.Format.TEXT, "", "")).contains("10.0.0.1");
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

    /** That none is kept here is not that there is none. */
    @Test
    void whatOnlyTheApiServerHasIsRefused() {
        assertThat(table("events", "")).isEmpty();
        whole = WholeObjects.ELSEWHERE;
        assertThat(table("events", ""))
                .isEqualTo(
                        "refused: events are not kept here: the API server has them; 'kubectl get events' lists them");
        assertThat(table("ipaddresses", ""))
                .isEqualTo("refused: ipaddresses are not kept here: the API server has them; 'kubectl get ipaddresses'"
                        + " lists them");
        assertThat(get(List.of(target("services", "")), Listing.Format.TEXT, "", "app=web"))
                .isEqualTo("refused: labels of services are not kept here, only what a proxy needs of them; select them"
                        + " with 'kubectl get services -l'");
        assertThat(get(
                        List.of(target("endpointslices", "")),
                        Listing.Format.NAME,
                        "shop",
                        "kubernetes.io/service-name=web"))
                .startsWith("endpointslice");
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

    @Test
    void slicesOfPodsAreShownAsAControllerWritesThem() {
        Pods pods = new Pods(List.of(new Pod(
                "shop",
                "a",
                "uid-a",
                new Pod.PodSandbox("id-a", 0, Instant.EPOCH, true, 0, true, false),
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
