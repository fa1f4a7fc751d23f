package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.dualstackd.kubeapi.tree.DocumentReader;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class ManifestsTest {
    private static final String SERVICE = """
        apiVersion: v1
        kind: Service
        metadata: {name: web, namespace: shop}
        spec:
          clusterIP: 10.96.0.10
          ports: [{port: 80}]
        """;

    private static Decoded decode(String text) {
        return Manifests.decode("web.yaml", text);
    }

    private static List<String> lines(Decoded decoded) {
        return decoded.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void aFullService() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: Service
            metadata:
              name: web
              namespace: shop
              uid: 0d9c
              labels: {app: web}
            spec:
              type: LoadBalancer
              ipFamilyPolicy: RequireDualStack
              ipFamilies: [IPv6, IPv4]
              clusterIP: fd00:10:96::a
              clusterIPs: ["fd00:10:96::a", 10.96.0.10]
              selector: {app: web}
              externalIPs: [203.0.113.7, "2001:db8::7"]
              loadBalancerSourceRanges: [192.168.0.0/24, " 203.0.113.0/25"]
              externalTrafficPolicy: Local
              internalTrafficPolicy: Local
              healthCheckNodePort: 30999
              sessionAffinity: ClientIP
              sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}
              ports:
              - {name: http, port: 80, targetPort: http, nodePort: 30080}
              - {name: dns, port: 53, protocol: UDP, appProtocol: dns}
            status:
              loadBalancer:
                ingress:
                - {ip: 198.51.100.1}
                - {ip: "2001:db8::1", ipMode: Proxy}
                - {hostname: lb.example}
            """);
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.objects()).hasSize(1);
        assertThat(decoded.objects().getFirst().object())
                .isEqualTo(Service.builder("shop", "web")
                        .type(Service.Type.LOAD_BALANCER)
                        .clusterIps(
                                new Service.ClusterIp.Address(Ip.parse("fd00:10:96::a")),
                                List.of(Ip.parse("fd00:10:96::a"), Ip.parse("10.96.0.10")),
                                List.of(IpFamily.IPV6, IpFamily.IPV4))
                        .ports(List.of(
                                new Service.Port("http", Proto.TCP, 80, 30080),
                                new Service.Port("dns", Proto.UDP, 53, 0)))
                        .externalIps(List.of(Ip.parse("203.0.113.7"), Ip.parse("2001:db8::7")))
                        .ingress(List.of(
                                new Service.Ingress(Ip.parse("198.51.100.1"), Service.IpMode.VIP),
                                new Service.Ingress(Ip.parse("2001:db8::1"), Service.IpMode.PROXY)))
                        .loadBalancerSourceRanges(
                                List.of(IpPrefix.parse("192.168.0.0/24"), IpPrefix.parse("203.0.113.0/25")))
                        .sessionAffinity(new Service.SessionAffinity.ClientIp(Duration.ofSeconds(60)))
                        .externalTrafficPolicy(Service.Policy.LOCAL)
                        .internalTrafficPolicy(Service.Policy.LOCAL)
                        .healthCheckNodePort(30999)
                        .selector(java.util.Optional.of(new PodSelector(
                                java.util.Map.of("app", "web"),
                                List.of(new PodSelector.Target.Named("http"), new PodSelector.Target.Numbered(53)),
                                false)))
                        .build());
        assertThat(decoded.objects().getFirst().place()).hasToString("web.yaml:1 (document 1)");
    }

    @Test
    void aFullSlice() {
        Decoded decoded = decode("""
            {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
             "metadata": {"name": "web-abc", "namespace": "shop",
               "labels": {"kubernetes.io/service-name": "web"},
               "annotations": {"endpoints.kubernetes.io/last-change-trigger-time": "2026-01-02T03:04:05.000000006Z"}},
             "addressType": "IPv4",
             "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}],
             "endpoints": [
               {"addresses": ["10.0.1.1", "10.0.9.9"], "nodeName": "n1", "zone": "a",
                "conditions": {"ready": false, "serving": true, "terminating": true},
                "hints": {"forZones": [{"name": "a"}, {"name": "b"}], "forNodes": [{"name": "n1"}]},
                "targetRef": {"kind": "Pod", "name": "web-1"}},
               {"addresses": ["10.0.1.2"], "conditions": null}]}
            """);
        assertThat(decoded.problems()).isEmpty();
        EndpointSlice slice = (EndpointSlice) decoded.objects().getFirst().object();
        assertThat(slice.service()).contains("web");
        assertThat(slice.triggerTime()).contains(Instant.parse("2026-01-02T03:04:05.000000006Z"));
        assertThat(slice.ports()).extracting(p -> p.name().orElse("?")).containsExactly("http", "");
        EndpointSlice.Endpoint first = slice.endpoints().getFirst();
        assertThat(first.address()).isEqualTo(Ip.parse("10.0.1.1"));
        assertThat(first.nodeName()).isEqualTo("n1");
        assertThat(first.zoneHints()).containsExactlyInAnyOrder("a", "b");
        assertThat(first.nodeHints()).containsExactly("n1");
        assertThat(first.conditions().ready()).contains(false);
        assertThat(slice.endpoints().get(1).conditions()).isEqualTo(EndpointSlice.Conditions.NONE);
    }

    @Test
    void aNode() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: Node
            metadata: {name: node-1.example, labels: {topology.kubernetes.io/zone: a}}
            spec: {podCIDRs: [10.1.0.0/24, "fd00:1::/64"], taints: [{key: x, effect: NoSchedule}]}
            status:
              addresses:
              - {type: InternalIP, address: 192.168.0.2}
              - {type: Hostname, address: node-1}
              - {type: InternalIP, address: "2001:db8::2"}
              nodeInfo: {machineID: "1"}
            """);
        assertThat(decoded.problems()).isEmpty();
        Node node = (Node) decoded.objects().getFirst().object();
        assertThat(node.zone()).isEqualTo("a");
        assertThat(node.podCidrs()).containsExactly(IpPrefix.parse("10.1.0.0/24"), IpPrefix.parse("fd00:1::/64"));
        assertThat(node.addresses())
                .extracting(Node.Address::ip)
                .containsExactly(Ip.parse("192.168.0.2"), Ip.parse("2001:db8::2"));
        assertThat(node.taints()).containsExactly("x");
    }

    /** Otherwise its Services would be missing in silence. */
    @Test
    void aListInsideAListIsAnError() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: List, items: []}
            """);
        assertThat(lines(decoded))
                .singleElement(STRING)
                .contains("items[0]", "a list inside a list is not read; write its items here");
        assertThat(decoded.anonymousRefusals()).isTrue();
    }

    @Test
    void aListHoldsObjects() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: List
            metadata: {resourceVersion: ""}
            items:
            - apiVersion: v1
              kind: Service
              metadata: {name: a}
              spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}
            - apiVersion: v1
              kind: Service
              metadata: {name: b}
              spec: {clusterIP: 10.96.0.2, ports: [{port: 70000}]}
            - apiVersion: v1
              kind: Service
              metadata: {name: c}
              spec: {clusterIP: 10.96.0.3, ports: [{port: 80}]}
            """);
        assertThat(decoded.objects()).extracting(o -> o.object().key().name()).containsExactly("a", "c");
        assertThat(decoded.refused()).extracting(ObjectKey::name).containsExactly("b");
        assertThat(decoded.anonymousRefusals()).isFalse();
        assertThat(lines(decoded))
                .containsExactly("web.yaml:12 (document 1): items[1].spec.ports[0].port: \"70000\": "
                        + "must be 1 to 65535 (Service default/b)");
    }

    @Test
    void aBadDocumentLeavesTheOthers() {
        Decoded decoded = decode(SERVICE + "---\nkind: [\n---\njust text\n---\n"
                + SERVICE.replace("name: web", "name: other").replace("10.96.0.10", "10.96.0.11"));
        assertThat(decoded.objects()).extracting(o -> o.object().key().name()).containsExactly("web", "other");
        assertThat(decoded.problems()).hasSize(2).allMatch(Problem::isError);
        assertThat(lines(decoded).get(1))
                .isEqualTo("web.yaml:10 (document 3): \"just text\": must be an object, not a text");
        assertThat(decoded.anonymousRefusals()).isTrue();
    }

    @Test
    void anUnknownFieldHasItsOwnLineAndTheNearestName() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: Service
            metadata:
              name: web
              colour: red
            speck:
              a: 1
            spec:
              clusterIP: 10.96.0.10
              portz:
              - port: 80
              ports:
              - port: 80
                portt: 1
              - port: 81
                name: b
                portt: 1
              sessionAffinity: ClientIP
              sessionAffinityConfig: {clientIp: {timeoutSeconds: 5}}
            """);
        assertThat(decoded.problems())
                .filteredOn(problem -> problem.severity() == Problem.Severity.STRICT)
                .extracting(Problem::toString)
                .containsExactly(
                        "web.yaml:5 (document 1): metadata.colour: unknown field (Service default/web)",
                        "web.yaml:6 (document 1): speck: unknown field; did you mean spec? (Service default/web)",
                        "web.yaml:10 (document 1): spec.portz: unknown field; did you mean ports? (Service default/web)",
                        "web.yaml:14 (document 1): spec.ports[0].portt: unknown field, the first of 2 in this object;"
                                + " did you mean port? (Service default/web)",
                        "web.yaml:19 (document 1): spec.sessionAffinityConfig.clientIp: unknown field; did you mean"
                                + " clientIP? (Service default/web)");
    }

    @Test
    void ofADuplicateFieldTheLastOneCounts() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Service
              metadata: {name: web}
              spec:
                clusterIP: 10.96.0.10
                ports:
                - port: 80
                  port: 81
                clusterIP:
                  10.96.0.11
            """);
        assertThat(((Service) decoded.objects().getFirst().object()).clusterIps())
                .containsExactly(Ip.parse("10.96.0.11"));
        assertThat(decoded.problems()).noneMatch(Problem::isError);
        assertThat(lines(decoded))
                .containsExactly(
                        "web.yaml:11 (document 1): items[0].spec.ports[0].port: duplicate field, first on line 10"
                                + " (Service default/web)",
                        "web.yaml:12 (document 1): items[0].spec.clusterIP: duplicate field, first on line 8"
                                + " (Service default/web)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "items: [%s]\nmetadata: {}\nitems: [%s]",
                "items: &a [%s]\nmetadata: {}\nitems: [%s]",
                "items: [%s]\nmetadata: {}\nitems: &b [%s]",
                "items:\n- %s\nmetadata: {}\nitems:\n- %s",
            })
    void ofTwoListsOfItemsTheLastOneCounts(String items) {
        String first = "{apiVersion: v1, kind: Node, metadata: {name: n1, name: n0}}";
        String last = "{apiVersion: v1, kind: Node, metadata: {name: n2}}";
        Decoded decoded = decode("apiVersion: v1\nkind: List\n" + items.formatted(first, last) + "\n");
        assertThat(decoded.objects())
                .extracting(located ->
                        located.object().key() + " " + located.place().field())
                .containsExactly("Node n2 items[0]");
        assertThat(lines(decoded))
                .filteredOn(line -> line.contains(": items: duplicate field"))
                .hasSize(1);
        assertThat(lines(decoded)).noneMatch(line -> line.contains("(Node n2)"));
    }

    @Test
    void ofTwoItemsTheLastOneCountsAlsoWhenItIsNoList() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: List
            items: [{apiVersion: v1, kind: Node, metadata: {name: n}}]
            items: null
            """);
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.anonymousRefusals()).isFalse();
    }

    /** YAML 1.2 §5.4: a carriage return alone is a line break, too. */
    @Test
    void aCarriageReturnEndsALine() {
        String bad = SERVICE.replace("web", "db").replace("10.96.0.10", "x");
        assertThat(lines(decode("# one\r# two\r\n# three\r" + SERVICE + "---\n" + bad)))
                .containsExactly("web.yaml:15 (document 2): spec.clusterIP: \"x\": is not an IP address: "
                        + "IPv4 has four octets (Service shop/db)");
        String old =
                (SERVICE + "...\n# end\n---\n" + bad + "---\n" + SERVICE.replace("web", "db2")).replace('\n', '\r');
        Decoded decoded = decode(old);
        assertThat(decoded.objects())
                .extracting(located ->
                        located.object().key() + " " + located.place().line())
                .containsExactly("Service shop/web 1", "Service shop/db2 17");
        assertThat(lines(decoded)).singleElement().asString().startsWith("web.yaml:14 (document 2): spec.clusterIP: ");
        Decoded windows = decode(old.replace("\r", "\r\n"));
        assertThat(windows.objects()).isEqualTo(decoded.objects());
        assertThat(windows.problems()).isEqualTo(decoded.problems());
    }

    /** What was read last from its place stays in force, as with any other object that cannot be used. */
    @ParameterizedTest
    @CsvSource({
        "v1, Servce, Service shop/web",
        "v1, Servcie, Service shop/web",
        "v2, Service, Service shop/web",
        "discovery.k8s.io/v1beta1, EndpointSlice, EndpointSlice shop/web",
        "v1, EndpointSlice, EndpointSlice shop/web",
        "discvery.k8s.io/v1, EndpointSlice, EndpointSlice shop/web",
        "v1, node, Node web",
        "networking.k8s.io/v1, ServiceCDIR, ServiceCIDR web",
    })
    void anObjectOfAMistypedKindIsRefused(String version, String kind, String meant) {
        Decoded decoded = decode("apiVersion: %s\nkind: %s\nmetadata: {name: web, namespace: shop}\nspek: {x: 1}\n"
                .formatted(version, kind));
        assertThat(decoded.refused()).extracting(ObjectKey::toString).containsExactly(meant);
        assertThat(decoded.anonymousRefusals()).isFalse();
        assertThat(decoded.problems()).singleElement().matches(Problem::isError);
        assertThat(lines(decoded))
                .singleElement()
                .asString()
                .startsWith("web.yaml:1 (document 1): \"" + version + " " + kind + "\": ")
                .contains("; did you mean ")
                .endsWith(" (" + meant + ")");
    }

    /** A kind of another group may have the same name. */
    @ParameterizedTest
    @CsvSource({"serving.knative.dev/v1, Service", "apps/v1, EndpointSlice", "v1, Secret", "v1, IPAddres"})
    void anObjectOfAnotherKindIsNotRefused(String version, String kind) {
        Decoded decoded = decode("apiVersion: %s\nkind: %s\nmetadata: {name: web}\n".formatted(version, kind));
        assertThat(decoded.refused()).isEmpty();
        assertThat(decoded.anonymousRefusals()).isFalse();
        assertThat(decoded.problems()).noneMatch(Problem::isError);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Lst", "list", "Lits", "ServiceLst", "servicelist"})
    void aMistypedListMayHaveMeantAnyObject(String kind) {
        Decoded decoded = decode(
                "apiVersion: v1\nkind: " + kind + "\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: n}}\n");
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.anonymousRefusals()).isTrue();
        assertThat(lines(decoded)).singleElement().asString().contains(kind).contains("; did you mean ");
    }

    @Test
    void aMistypedKindWithoutANameMayHaveMeantAnyObject() {
        Decoded decoded = decode("apiVersion: v1\nkind: Servce\nmetadata: {}\n");
        assertThat(decoded.refused()).isEmpty();
        assertThat(decoded.anonymousRefusals()).isTrue();
    }

    @Test
    void itemsOfAListOfOneTypeNeedNoKind() {
        Decoded decoded = decode("""
            {"apiVersion": "v1", "items": [
              {"metadata": {"name": "web"}, "spec": {"clusterIP": "10.96.0.10", "ports": [{"port": 80}]}},
              {"kind": "Service", "metadata": {"name": "db"}, "spec": {"clusterIP": "None"}}
            ], "kind": "ServiceList"}
            """);
        assertThat(lines(decoded)).isEmpty();
        assertThat(decoded.objects())
                .extracting(object -> object.object().key().toString())
                .containsExactly("Service default/web", "Service default/db");
        assertThat(lines(decode("apiVersion: v1\nkind: List\nitems:\n- metadata: {name: web}\n")))
                .contains("web.yaml:4 (document 1): items[0].kind: required");
    }

    @Test
    void anObjectWithoutANameIsCheckedToo() {
        Decoded decoded = decode("""
            apiVersion: v1
            kind: Service
            metadata: {labels: {a: b}}
            spec:
              clusterIP: 10.96.0.300
              ports: [{port: 99999}]
            """);
        assertThat(decoded.anonymousRefusals()).isTrue();
        assertThat(lines(decoded))
                .containsExactly(
                        "web.yaml:3 (document 1): metadata.name: required",
                        "web.yaml:5 (document 1): spec.clusterIP: \"10.96.0.300\": is not an IP address: an octet must"
                                + " be 0 to 255",
                        "web.yaml:6 (document 1): spec.ports[0].port: \"99999\": must be 1 to 65535");
    }

    /** Each is wrong in one place, and what depends on that place is not reported, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "type: LoadBalancer -> type: LoadBalncer",
                "type: LoadBalancer -> type: 5",
                "type: LoadBalancer -> type: [a]",
                "externalTrafficPolicy: Local -> externalTrafficPolicy: local",
                "externalTrafficPolicy: Local -> externalTrafficPolicy: 1",
                "sessionAffinity: ClientIP -> sessionAffinity: clientIP",
                "sessionAffinity: ClientIP -> sessionAffinity: true",
                "protocol: UDP -> protocol: udp",
                "protocol: UDP -> protocol: 17",
                "clusterIP: 10.96.0.10 -> clusterIP: 10.96.0",
                "clusterIP: 10.96.0.10 -> clusterIP: 10",
                "clusterIPs: [10.96.0.10] -> clusterIPs: 10.96.0.10",
                "clusterIPs: [10.96.0.10] -> clusterIPs: [10.96.0.1x]",
                "ipFamilies: [IPv4] -> ipFamilies: [ipv4]",
                "ipFamilyPolicy: SingleStack -> ipFamilyPolicy: Single",
                "port: 53 -> port: x",
                "nodePort: 30053 -> nodePort: 70000",
                "healthCheckNodePort: 30055 -> healthCheckNodePort: x",
                "loadBalancerSourceRanges: [10.0.0.0/8] -> loadBalancerSourceRanges: [10]",
                "spec: -> specs:",
                "name: web -> name: Web",
                "name: web -> name: 5",
                "metadata: {name: web} -> metadata: web",
                "metadata: {name: web} -> labels: {name: web}",
            })
    void oneMistakeIsOneError(String change) {
        String good = """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec:
              type: LoadBalancer
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10]
              ipFamilies: [IPv4]
              ipFamilyPolicy: SingleStack
              externalTrafficPolicy: Local
              healthCheckNodePort: 30055
              loadBalancerSourceRanges: [10.0.0.0/8]
              sessionAffinity: ClientIP
              sessionAffinityConfig: {clientIP: {timeoutSeconds: 10}}
              ports:
              - {name: a, protocol: TCP, port: 53, targetPort: 53, nodePort: 30053}
              - {name: b, protocol: UDP, port: 53, targetPort: 53, nodePort: 30053}
            """;
        assertThat(lines(decode(good))).isEmpty();
        String[] words = change.split(" -> ", -1);
        String wrong = good.replaceFirst(Pattern.quote(words[0]), words[1]);
        assertThat(decode(wrong).problems())
                .filteredOn(Problem::isError)
                .as(wrong)
                .hasSize(1);
    }

    @Test
    void unknownKindsAreAWarning() {
        Decoded decoded = decode("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n");
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems()).hasSize(1).noneMatch(Problem::isError);
        assertThat(lines(decoded).getFirst()).contains("apps/v1 Deployment").contains("not used here");
        assertThat(decode("apiVersion: v1\nkind: Pod\n").problems()).noneMatch(Problem::isError);
    }

    @Test
    void theSameNameTwiceKeepsTheFirst() {
        Decoded decoded = decode(SERVICE + "---\n" + SERVICE.replace("10.96.0.10", "10.96.0.11"));
        assertThat(decoded.objects()).hasSize(1);
        assertThat(((Service) decoded.objects().getFirst().object()).clusterIps())
                .containsExactly(Ip.parse("10.96.0.10"));
        assertThat(lines(decoded))
                .containsExactly(
                        "web.yaml:8 (document 2): Service shop/web is already defined at web.yaml:1 (document 1), "
                                + "which stays in force; remove one of the two (Service shop/web)");
    }

    @Test
    void missingHeaders() {
        assertThat(lines(decode("metadata: {name: x}\n")))
                .containsExactly(
                        "web.yaml:1 (document 1): apiVersion: required", "web.yaml:1 (document 1): kind: required");
        assertThat(lines(decode("apiVersion: v1\nkind: Service\n")))
                .containsExactly(
                        "web.yaml:1 (document 1): metadata: required: an object needs a name",
                        "web.yaml:1 (document 1): spec: required");
        assertThat(lines(decode("apiVersion: v1\nkind: Service\nmetadata: {namespace: x}\n")))
                .containsExactly(
                        "web.yaml:1 (document 1): spec: required", "web.yaml:3 (document 1): metadata.name: required");
        assertThat(decode("apiVersion: v1\nkind: Service\nmetadata: {}\n").anonymousRefusals())
                .isTrue();
    }

    @Test
    void aDocumentOfTenMegabytesIsRefusedWithTheLimit() {
        Decoded decoded = decode("# ".repeat(5 * 1024 * 1024));
        assertThat(lines(decoded))
                .containsExactly("web.yaml:1 (document 1): the document has more than 8388608 bytes "
                        + "(8 MiB); split it into several documents");
        assertThat(decoded.anonymousRefusals()).isTrue();
    }

    @Test
    void aThousandEndpointsFitAThousandAndOneDoNot() {
        assertThat(decode(slice(1_000)).problems()).isEmpty();
        assertThat(((EndpointSlice) decode(slice(1_000)).objects().getFirst().object()).endpoints())
                .hasSize(1_000);
        Decoded decoded = decode(slice(1_001));
        assertThat(decoded.refused()).isEqualTo(Set.of(new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, "shop", "web-1")));
        assertThat(lines(decoded).getFirst()).contains("at most 1000 endpoints, this one has 1001");
    }

    /** A slice as a controller writes it, with references and conditions, pretty-printed. */
    private static String slice(int endpoints) {
        StringBuilder text = new StringBuilder("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints:
            """);
        for (int i = 0; i < endpoints; i++) {
            text.append("""
                - addresses:
                  - 10.1.%d.%d
                  conditions:
                    ready: true
                    serving: true
                    terminating: false
                  nodeName: a-rather-long-node-name-%d.compute.internal
                  targetRef:
                    kind: Pod
                    name: web-7c5ddbdf54-%05d
                    namespace: shop
                    uid: 8a6c3c3e-2b0c-4ac0-9c9a-6d1b1d6a7c%02d
                  zone: europe-west1-b
                """.formatted(i / 250, i % 250 + 1, i % 50, i, i % 100));
        }
        assertThat(text.length()).isLessThan(DocumentReader.MAX_BYTES / 10);
        return text.toString();
    }

    private static String serviceCidr(String spec) {
        return "{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: kubernetes}, " + spec + "}";
    }

    @Test
    void aServiceCidr() {
        Decoded decoded =
                decode(serviceCidr("spec: {cidrs: [10.96.0.0/12, 'fd00:10:96::/108']}, status: {conditions: []}"));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.objects().getFirst().object())
                .isEqualTo(new ServiceCidr(
                        "kubernetes", List.of(IpPrefix.parse("10.96.0.0/12"), IpPrefix.parse("fd00:10:96::/108"))));
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        spec: {}                                       | spec.cidrs: required: one or two networks
        status: {}                                     | spec.cidrs: required: one or two networks
        spec: {cidrs: [10.96.0.0]}                     | spec.cidrs[0]: "10.96.0.0": is not a network: no "/" and prefix length
        spec: {cidrs: [10.96.0.0/16, 10.97.0.0/16]}    | spec.cidrs: must be one network, or two of different IP families
        spec: {cidrs: 10.96.0.0/16}                    | spec.cidrs: "10.96.0.0/16": must be a list, not a text
        """)
    void aWrongServiceCidr(String spec, String problem) {
        assertThat(lines(decode(serviceCidr(spec)))).first().asString().contains(problem);
    }

    /** A file is decoded the same however its bytes arrive: markers, lines and letters may be split anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64})
    void aFileReadInPieces(int length) {
        String text = "# é\n---\n" + SERVICE + "...\n# rest\n--- # next\n" + SERVICE.replace("web", "wéb")
                + "---\nx: [\n---\n"
                + "kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: n1}}\n--- \n...";
        Manifests manifests = new Manifests("web.yaml", Dialect.STORED);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; from += length) {
            byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(from + length, bytes.length));
            manifests.feed(piece, piece.length);
        }
        Decoded whole = decode(text);
        assertThat(manifests.finish()).isEqualTo(whole);
        assertThat(whole.objects()).hasSize(2);
        assertThat(lines(whole)).hasSize(2);
    }

    @Test
    void aListThatBreaksOffGivesNothing() {
        String node = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";
        Decoded decoded = decode("{kind: List, apiVersion: v1, items: [" + node + "\n---\n" + node);
        assertThat(decoded.anonymousRefusals()).isTrue();
        assertThat(decoded.objects()).hasSize(1);
        assertThat(decoded.objects().getFirst().place().line()).isEqualTo(3);
    }

    /** YAML lets a value have a name. */
    @ParameterizedTest
    @ValueSource(strings = {"items: &all %s", "metadata: {x: &all %s}\nitems: *all", "items: [&one %2$s]"})
    void itemsMayHaveAnAnchor(String items) {
        String node = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";
        Decoded decoded = decode("apiVersion: v1\nkind: List\n" + items.formatted("[" + node + "]", node) + "\n");
        assertThat(lines(decoded)).isEmpty();
        assertThat(decoded.objects())
                .singleElement()
                .satisfies(found -> assertThat(found.object().key()).hasToString("Node n1"));
    }

    /** A dash or a letter was forgotten: the objects that the file had before are not meant to go. */
    @ParameterizedTest
    @ValueSource(strings = {"items:\n  apiVersion: v1\n  kind: Service\n", "itmes: []\n", "items: web\n"})
    void aListWithoutAListMayHaveMeantAnyObject(String items) {
        Decoded decoded = decode("apiVersion: v1\nkind: List\n" + items);
        assertThat(lines(decoded)).anyMatch(line -> line.contains(": items: "));
        assertThat(decoded.anonymousRefusals()).isTrue();
        assertThat(decode("apiVersion: v1\nkind: List\nitems: []\n").problems()).isEmpty();
        assertThat(decode("apiVersion: v1\nkind: List\nitems: null\n").anonymousRefusals())
                .isFalse();
    }

    /** A tool that drops the quotes of a number changes the text, not what is meant. */
    @ParameterizedTest
    @CsvSource({
        "name: web,name: 12",
        "name: web,name: Web",
        "namespace: shop,namespace: 12",
        "namespace: shop,namespace: Shop"
    })
    void anObjectWithAWrongNameMayHaveBeenMeantAsAnyOther(String right, String wrong) {
        Decoded decoded = decode(SERVICE.replace(right, wrong));
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.anonymousRefusals()).isTrue();
        assertThat(decode(SERVICE.replace("port: 80", "port: 70000")).anonymousRefusals())
                .isFalse();
    }

    @Test
    void itemsOfWhatIsNoListAreNoObjects() {
        Decoded decoded = decode("items: [{apiVersion: v1, kind: Node, metadata: {name: n1}}]\n" + SERVICE);
        assertThat(decoded.objects())
                .singleElement()
                .satisfies(locatedObject ->
                        assertThat(locatedObject.object().key().kind()).isEqualTo(ObjectKey.Kind.SERVICE));
        assertThat(lines(decoded)).singleElement().asString().contains("items: unknown field");
    }

    /** The time of the YAML library grew with the square of a line: it was most of a minute. */
    @ParameterizedTest
    @ValueSource(strings = {"#\tü", "note: '", "note: \"", "note: "})
    void aLongLineIsReadOnce(String begin) {
        String end = begin.startsWith("#") || begin.endsWith(" ") ? "" : begin.substring(begin.length() - 1);
        String text = SERVICE + begin + "x".repeat(DocumentReader.MAX_BYTES - SERVICE.length() - 20) + end + "\n#\tü\n";
        Decoded decoded = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> decode(text));
        assertThat(decoded.objects()).hasSize(1);
    }

    @Test
    void aFileMayBeLongerThanADocument() {
        String text = SERVICE + ("---\n# " + "x".repeat(1_000_000) + "\n").repeat(10) + "---\n"
                + SERVICE.replace("name: web", "name: other");
        assertThat(decode(text).problems()).isEmpty();
        assertThat(decode(text).objects()).hasSize(2);
        Decoded tooLong = decode(SERVICE + "# " + "x".repeat(DocumentReader.MAX_BYTES) + "\n---\n" + SERVICE);
        assertThat(lines(tooLong))
                .singleElement()
                .asString()
                .startsWith("web.yaml:1 (document 1): the document has more than");
        assertThat(tooLong.objects()).hasSize(1);
    }
}
