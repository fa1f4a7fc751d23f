package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenObjectsTest {
    private static final String SERVICE = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec:
              %s
            """;

    private static final String ADDRESS = """
            apiVersion: networking.k8s.io/v1
            kind: IPAddress
            metadata:
              name: "%s"
              labels: {ipaddress.kubernetes.io/managed-by: ipallocator.k8s.io}
            spec:
              parentRef: %s
            """;

    /** Rules of single fields are for others; an author may leave out what is given to him. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ports: [{port: 80}]",
                "type: Unheard-of",
                "ports: []",
                "ports: [{port: 0, nodePort: 99999}]",
                "clusterIP: nonsense",
                "{}"
            })
    void aServiceIsTakenAsItIsWritten(String spec) {
        Decoded decoded = written(SERVICE.formatted(spec));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.objects())
                .singleElement()
                .satisfies(locatedObject -> assertThat(locatedObject.object())
                        .isInstanceOfSatisfying(WrittenService.class, service -> {
                            assertThat(service.key()).hasToString("Service shop/web");
                            assertThat(service.tree().entries()).containsKeys("kind", "spec");
                        }));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            clusterIP: 1                                  | web.yaml:5 (document 1): spec.clusterIP: "1": must be a text
            clusterIPs: fd00::1                           | spec.clusterIPs: "fd00::1": must be a list
            ipFamilies: [4]                               | spec.ipFamilies[0]: "4": must be a text
            ports: [{port: http}]                         | spec.ports[0].port: "http": must be a whole number
            ports: [{port: 80, nodePort: 1.5}]            | spec.ports[0].nodePort: "1.5": must be a whole number
            ports: [{port: 80, targetPort: true}]         | spec.ports[0].targetPort: "true": must be a whole number
            ports: [80]                                   | spec.ports[0]: "80": must be an object
            ports: [{port: 99999999999}]                  | spec.ports[0].port: "99999999999": must be -2147483648
            selector: {app: 1}                            | spec.selector.app: "1": must be a text
            allocateLoadBalancerNodePorts: "yes"          | must be true or false
            sessionAffinityConfig: {clientIP: {timeoutSeconds: x}} | clientIP.timeoutSeconds: "x": must be a whole number
            """)
    void valuesAreOfTheKindTheirFieldsWant(String spec, String problem) {
        Decoded decoded = written(SERVICE.formatted(spec));
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.refused()).hasSize(1);
        assertThat(lines(decoded)).contains(problem.strip()).contains("Service shop/web");
    }

    @Test
    void aServiceWithoutSpec() {
        assertThat(lines(written("{apiVersion: v1, kind: Service, metadata: {name: web}}")))
                .contains("spec: required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.96.0.1", "fd00::1"})
    void anIpAddress(String name) {
        Decoded decoded =
                written(ADDRESS.formatted(name, "{group: '', resource: services, namespace: shop, name: web}"));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.objects().getFirst().object())
                .isEqualTo(new IpAddress(Ip.parse(name), IpAddress.Parent.service("shop", "web"), true));
        assertThat(decoded.objects().getFirst().object().key()).hasToString("IPAddress " + name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.96.0.01  | {resource: services, name: web} | metadata.name: "10.96.0.01": must be an IP address
            FD00::1     | {resource: services, name: web} | canonical form: fd00::1
            fd00:0:0::1 | {resource: services, name: web} | canonical form: fd00::1
            web         | {resource: services, name: web} | must be an IP address in canonical form
            10.96.0.1   | {name: web}                     | spec.parentRef.resource: required
            10.96.0.1   | {resource: services}            | spec.parentRef.name: required
            10.96.0.1   | {resource: services, name: a/b} | spec.parentRef.name: "a/b": must not be
            10.96.0.1   | {group: A, resource: x, name: y} | spec.parentRef.group: "A": must be a DNS name
            10.96.0.1   | null                            | spec.parentRef: required
            10.96.0.1   | [1]                             | spec.parentRef: must be an object
            """)
    void aWrongIpAddress(String name, String parent, String problem) {
        Decoded decoded = written(ADDRESS.formatted(name.strip(), parent));
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.refused()).hasSize(1);
        assertThat(lines(decoded)).contains(problem.strip());
    }

    /** Without an allocator, it does not matter which Service has which address. */
    @Test
    void anIpAddressAmongStoredObjects() {
        Decoded decoded = Manifests.decode("ip.yaml", ADDRESS.formatted("fd00::1", "{resource: services, name: web}"));
        assertThat(lines(decoded)).contains("this kind is not used here");
        assertThat(decoded.problems()).noneMatch(Problem::isError);
    }

    @ParameterizedTest
    @CsvSource({
        "v1,        Servce,        ; did you mean v1 Service? (Service default/web)",
        "v1,        service,       ; did you mean v1 Service? (Service default/web)",
        "v1,        Servcie,       ; did you mean v1 Service? (Service default/web)",
        "apps/v1,   EndpointSlice, ', ignored; did you mean discovery.k8s.io/v1 EndpointSlice?'",
        "v1,        Pod,           ', ignored'",
        "v1,        Secret,        ', ignored'",
        "apps/v1,   Deployment,    ', ignored'"
    })
    void suggestsTheKindThatWasMeant(String version, String kind, String suggestion) {
        assertThat(lines(written("{apiVersion: %s, kind: %s, metadata: {name: web}}".formatted(version, kind))))
                .endsWith("this kind is not used here" + suggestion);
    }

    private static Decoded written(String text) {
        return Manifests.decode("web.yaml", text, Dialect.WRITTEN);
    }

    private static String lines(Decoded decoded) {
        List<Problem> problems = decoded.problems();
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }
}
