package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an EndpointSlice may look like. */
final class SliceRulesTest {
    private static Decoded slice(String rest) {
        return Manifests.decode(
                "s.yaml",
                "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-1, labels: "
                        + "{kubernetes.io/service-name: web}}, " + rest + "}");
    }

    private static EndpointSlice only(Decoded decoded) {
        return (EndpointSlice) decoded.objects().getFirst().object();
    }

    @ParameterizedTest(name = "{0} → {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    endpoints: []                                                          | addressType              | required
                    addressType: ipv4                                                      | addressType              | must be one of IPv4, IPv6, FQDN
                    addressType: IPv4, endpoints: [{}]                                     | endpoints[0].addresses   | must be 1 to 100 addresses
                    addressType: IPv4, endpoints: [{addresses: []}]                        | endpoints[0].addresses   | must be 1 to 100 addresses
                    addressType: IPv4, endpoints: [{addresses: 10.0.0.1}]                  | endpoints[0].addresses   | must be a list, not a text
                    addressType: IPv4, endpoints: [{addresses: ["fd00::1"]}]               | endpoints[0].addresses[0] | must be IPv4 as addressType says
                    addressType: IPv6, endpoints: [{addresses: [10.0.0.1]}]                | endpoints[0].addresses[0] | must be IPv6 as addressType says
                    addressType: IPv6, endpoints: [{addresses: ["::ffff:10.0.0.1"]}]       | endpoints[0].addresses[0] | write it as IPv4
                    addressType: IPv4, endpoints: [{addresses: [127.0.0.1]}]               | endpoints[0].addresses[0] | must not be a loopback
                    addressType: IPv6, endpoints: [{addresses: ["fe80::1"]}]               | endpoints[0].addresses[0] | must not be a link-local
                    addressType: IPv4, endpoints: [{addresses: [10.0.0.1], conditions: {ready: "yes"}}] | endpoints[0].conditions.ready | must be true or false, not a text
                    addressType: IPv4, endpoints: [{addresses: [10.0.0.1], hints: {forZones: [{}]}}] | endpoints[0].hints.forZones[0].name | required
                    addressType: IPv4, endpoints: [{addresses: [10.0.0.1], hostname: Db-0}] | endpoints[0].hostname  | must be a DNS label
                    addressType: IPv4, endpoints: [{addresses: [10.0.0.1], hostname: db.0}] | endpoints[0].hostname  | must be a DNS label
                    addressType: IPv4, ports: [{port: 65536}]                              | ports[0].port            | must be 0 to 65535
                    addressType: IPv4, ports: [{port: 1, protocol: GRE}]                   | ports[0].protocol        | must be one of TCP, UDP, SCTP
                    addressType: IPv4, ports: [{port: 1}, {port: 2}]                       | ports[1]                 | another port of this list has the same name
                    addressType: IPv4, ports: [{port: 1, name: A}]                         | ports[0].name            | must be a DNS label
                    """)
    void refused(String rest, String field, String rule) {
        Decoded decoded = slice(rest);
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems()).anySatisfy(p -> {
            assertThat(p.isError()).isTrue();
            assertThat(p.toString())
                    .startsWith("s.yaml:1 (document 1): " + field + ": ")
                    .contains(rule);
        });
    }

    @Test
    void hostnamesOfEndpointsAreKept() {
        Decoded decoded = slice(
                "addressType: IPv4, endpoints: [{addresses: [10.0.0.1], hostname: db-0}, {addresses: [10.0.0.2]}]");
        assertThat(decoded.problems()).isEmpty();
        assertThat(only(decoded).endpoints())
                .extracting(EndpointSlice.Endpoint::hostname)
                .containsExactly("db-0", "");
    }

    @Test
    void hostNamesAreKeptOut() {
        Decoded decoded = slice("addressType: FQDN, endpoints: [{addresses: [a.example]}]");
        assertThat(decoded.problems()).isEmpty();
        assertThat(only(decoded).endpoints()).isEmpty();
    }

    @Test
    void portsWithoutNumberAreAWarning() {
        Decoded decoded = slice("addressType: IPv4, ports: [{name: a, port: 0}, {name: b}]");
        assertThat(decoded.problems()).hasSize(2).noneMatch(Problem::isError);
        assertThat(only(decoded).ports()).hasSize(2);
        assertThat(slice("addressType: IPv4, ports: [{port: 70000}]").problems())
                .singleElement()
                .matches(Problem::isError);
    }

    /** As API servers have it: in Endpoints a port must have a number. */
    @Test
    void portsOfEndpointsHaveANumber() {
        for (String port : List.of("{port: 0}", "{name: a}")) {
            assertThat(Manifests.decode(
                                    "e.yaml",
                                    "{apiVersion: v1, kind: Endpoints, metadata: {name: web}, subsets: [{addresses: "
                                            + "[{ip: 10.0.0.1}], ports: [" + port + "]}]}")
                            .problems())
                    .as(port)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.isError()).isTrue())
                    .asString()
                    .contains("subsets[0].ports[0].port", "1 to 65535");
        }
    }

    @Test
    void withoutServiceLabelAWarning() {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-1, labels: "
                        + "{service.kubernetes.io/headless: \"\"}}, addressType: IPv4}");
        assertThat(only(decoded).service()).isEmpty();
        assertThat(only(decoded).headless()).isTrue();
        assertThat(decoded.problems()).hasSize(1).noneMatch(Problem::isError);
    }

    @Test
    void leadingZerosAreAWarning() {
        Decoded decoded = slice("addressType: IPv4, endpoints: [{addresses: [10.0.0.010]}]");
        assertThat(only(decoded).endpoints().getFirst().address()).hasToString("10.0.0.10");
        assertThat(decoded.problems()).hasSize(1).noneMatch(Problem::isError);
    }

    @Test
    void anUnreadableTriggerTimeIsAWarning() {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: w, labels: "
                        + "{kubernetes.io/service-name: web}, annotations: "
                        + "{endpoints.kubernetes.io/last-change-trigger-time: yesterday}}, addressType: IPv4}");
        assertThat(only(decoded).triggerTime()).isEmpty();
        assertThat(decoded.problems()).hasSize(1).noneMatch(Problem::isError);
    }
}
