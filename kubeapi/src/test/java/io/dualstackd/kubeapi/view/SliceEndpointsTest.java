package io.dualstackd.kubeapi.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slices → endpoints of a service port. */
final class SliceEndpointsTest {
    private static EndpointSlice slice(String name, String rest) {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: " + name
                        + ", labels: {kubernetes.io/service-name: web}}, " + rest + "}");
        assertThat(decoded.problems()).filteredOn(Problem::isError).isEmpty();
        return (EndpointSlice) decoded.objects().getFirst().object();
    }

    private static List<Endpoint> of(String port, Proto protocol, EndpointSlice... slices) {
        return new SliceEndpoints(Arrays.asList(slices), IpFamily.IPV4, "n1").of(port, protocol);
    }

    private static List<String> addresses(List<Endpoint> endpoints) {
        return endpoints.stream().map(e -> e.address().toString()).toList();
    }

    @ParameterizedTest(name = "{0} → ready {1} serving {2} terminating {3}")
    @CsvSource(delimiter = '|', textBlock = """
                    {}                                                   | true  | true  | false
                    {ready: true}                                        | true  | true  | false
                    {ready: false}                                       | false | true  | false
                    {ready: null, serving: null, terminating: null}      | true  | true  | false
                    {ready: false, serving: false}                       | false | false | false
                    {ready: false, serving: true, terminating: true}     | false | true  | true
                    """)
    void conditions(String conditions, boolean ready, boolean serving, boolean terminating) {
        Endpoint endpoint = of(
                        "",
                        Proto.TCP,
                        slice(
                                "a",
                                "addressType: IPv4, ports: [{port: 8080}], endpoints: "
                                        + "[{addresses: [10.0.0.1], conditions: " + conditions + "}]"))
                .getFirst();
        assertThat(endpoint.ready()).isEqualTo(ready);
        assertThat(endpoint.serving()).isEqualTo(serving);
        assertThat(endpoint.terminating()).isEqualTo(terminating);
    }

    /** The ports of a slice with many are looked up by name and protocol. */
    @Test
    void aSliceMayHaveManyPorts() {
        StringBuilder ports = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            ports.append("{name: p%d, port: %d}, {name: u%d, protocol: UDP, port: %d}, "
                    .formatted(i, 8000 + i, i, 9000 + i));
        }
        EndpointSlice many = slice(
                "a", "addressType: IPv4, ports: [" + ports + "{port: 7000}], endpoints: [{addresses: [10.0.0.1]}]");
        assertThat(addresses(of("p7", Proto.TCP, many))).containsExactly("10.0.0.1:8007");
        assertThat(addresses(of("u7", Proto.UDP, many))).containsExactly("10.0.0.1:9007");
        assertThat(addresses(of("", Proto.TCP, many))).containsExactly("10.0.0.1:7000");
        assertThat(of("p7", Proto.UDP, many)).isEmpty();
        assertThat(of("p70", Proto.TCP, many)).isEmpty();
    }

    @Test
    void localMeansOnThisNode() {
        List<Endpoint> endpoints = of(
                "",
                Proto.TCP,
                slice(
                        "a",
                        "addressType: IPv4, ports: [{port: 1}], endpoints: "
                                + "[{addresses: [10.0.0.1], nodeName: n1}, {addresses: [10.0.0.2], nodeName: n2}, {addresses: [10.0.0.3]}, "
                                + "{addresses: [10.0.0.4], nodeName: \"\"}]"));
        assertThat(endpoints).extracting(Endpoint::local).containsExactly(true, false, false, false);
        List<Endpoint> unnamed = new SliceEndpoints(
                        List.of(slice(
                                "a", "addressType: IPv4, ports: [{port: 1}], endpoints: [{addresses: [10.0.0.1]}]")),
                        IpFamily.IPV4,
                        "")
                .of("", Proto.TCP);
        assertThat(unnamed.getFirst().local()).isFalse();
    }

    @Test
    void portsMatchByNameAndProtocolNeverByNumber() {
        EndpointSlice slice = slice(
                "a",
                "addressType: IPv4, ports: [{name: http, port: 8080}, {name: dns, port: 53, "
                        + "protocol: UDP}, {name: none}, {name: zero, port: 0}], endpoints: [{addresses: [10.0.0.1]}]");
        assertThat(addresses(of("http", Proto.TCP, slice))).containsExactly("10.0.0.1:8080");
        assertThat(addresses(of("dns", Proto.UDP, slice))).containsExactly("10.0.0.1:53");
        assertThat(of("http", Proto.UDP, slice)).isEmpty();
        assertThat(of("", Proto.TCP, slice)).isEmpty();
        assertThat(of("none", Proto.TCP, slice)).isEmpty();
        assertThat(of("zero", Proto.TCP, slice)).isEmpty();
    }

    @Test
    void oneNameMayLeadToDifferentNumbers() {
        assertThat(
                        addresses(
                                of(
                                        "http",
                                        Proto.TCP,
                                        slice(
                                                "a",
                                                "addressType: IPv4, ports: [{name: http, port: 8080}], endpoints: [{addresses: [10.0.0.1]}]"),
                                        slice(
                                                "b",
                                                "addressType: IPv4, ports: [{name: http, port: 9090}], endpoints: [{addresses: [10.0.0.2]}]"))))
                .containsExactly("10.0.0.1:8080", "10.0.0.2:9090");
    }

    @Test
    void onlySlicesOfTheFamilyCount() {
        EndpointSlice v4 = slice("a", "addressType: IPv4, ports: [{port: 1}], endpoints: [{addresses: [10.0.0.1]}]");
        EndpointSlice v6 = slice("b", "addressType: IPv6, ports: [{port: 1}], endpoints: [{addresses: [\"fd00::1\"]}]");
        EndpointSlice fqdn = slice("c", "addressType: FQDN, ports: [{port: 1}], endpoints: [{addresses: [a.example]}]");
        assertThat(addresses(of("", Proto.TCP, v4, v6, fqdn))).containsExactly("10.0.0.1:1");
        assertThat(addresses(new SliceEndpoints(List.of(v4, v6, fqdn), IpFamily.IPV6, "n1").of("", Proto.TCP)))
                .containsExactly("[fd00::1]:1");
    }

    @Test
    void headlessSlicesDoNotCount() {
        EndpointSlice slice = (EndpointSlice) Manifests.decode(
                        "s.yaml",
                        "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, labels: "
                                + "{kubernetes.io/service-name: web, service.kubernetes.io/headless: \"\"}}, "
                                + "addressType: IPv4, ports: [{port: 1}], endpoints: [{addresses: [10.0.0.1]}]}")
                .objects()
                .getFirst()
                .object();
        assertThat(of("", Proto.TCP, slice)).isEmpty();
    }

    @Test
    void onlyTheFirstAddressCounts() {
        assertThat(addresses(of(
                        "",
                        Proto.TCP,
                        slice(
                                "a",
                                "addressType: IPv4, ports: [{port: 1}], endpoints: "
                                        + "[{addresses: [10.0.0.2, 10.0.0.1]}]"))))
                .containsExactly("10.0.0.2:1");
    }

    @Test
    void theOrderIsThatOfTheText() {
        assertThat(
                        addresses(
                                of(
                                        "",
                                        Proto.TCP,
                                        slice(
                                                "a",
                                                "addressType: IPv4, ports: [{port: 80}], endpoints: "
                                                        + "[{addresses: [10.0.0.9]}, {addresses: [10.0.0.10]}, {addresses: [9.0.0.1]}, {addresses: [10.0.0.1]}]"))))
                .containsExactly("10.0.0.10:80", "10.0.0.1:80", "10.0.0.9:80", "9.0.0.1:80");
    }

    @Test
    void hintsArePassedOn() {
        Endpoint endpoint = of(
                        "",
                        Proto.TCP,
                        slice(
                                "a",
                                "addressType: IPv4, ports: [{port: 80}], endpoints: "
                                        + "[{addresses: [10.0.0.1], hints: {forZones: [{name: z1}, {name: z2}], forNodes: [{name: n1}]}}]"))
                .getFirst();
        assertThat(endpoint.zoneHints()).containsExactlyInAnyOrder("z1", "z2");
        assertThat(endpoint.nodeHints()).containsExactly("n1");
    }

    /** A moving address stands in two slices for a moment; a record that is not terminating wins, wherever it stands. */
    @ParameterizedTest(name = "{0} then {1} → {2}")
    @CsvSource({
        "ready, terminating, ready",
        "terminating, ready, ready",
        "terminating, unready, unready",
        "ready, unready, unready",
        "unready, ready, ready",
        "terminating, dying, terminating",
    })
    void theSameAddressInTwoSlices(String first, String second, String winner) {
        List<Endpoint> merged = of("", Proto.TCP, state("b", second), state("a", first));
        assertThat(merged).isEqualTo(of("", Proto.TCP, state("a", winner)));
    }

    private static EndpointSlice state(String name, String state) {
        String conditions = switch (state) {
            case "ready" -> "{ready: true}";
            case "unready" -> "{ready: false, serving: false}";
            case "terminating" -> "{ready: false, serving: true, terminating: true}";
            case "dying" -> "{ready: false, serving: false, terminating: true}";
            default -> throw new IllegalArgumentException(state);
        };
        return slice(
                name,
                "addressType: IPv4, ports: [{port: 80}], endpoints: [{addresses: [10.0.0.1], conditions: " + conditions
                        + "}]");
    }
}
