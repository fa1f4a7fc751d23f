package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestValidationTest {
    private static final String GOOD = """
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
          loadBalancerClass: example.com/a
          allocateLoadBalancerNodePorts: false
          sessionAffinity: ClientIP
          sessionAffinityConfig: {clientIP: {timeoutSeconds: 10}}
          ports:
          - {name: a, protocol: TCP, port: 53, targetPort: 53, nodePort: 30053}
          - {name: b, protocol: UDP, port: 53, targetPort: 53, nodePort: 30053}
        """;

    @TempDir
    private Path state;

    private List<String> written(FieldValidation fields, NamedText... texts) throws IOException {
        LedgerSettings settings = new LedgerSettings(
                List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                30_000,
                32_767,
                Semantics.KUBERNETES);
        try (ServiceLedger ledger = ServiceLedger.open(state, settings)) {
            return ManifestValidation.of(List.of(texts), Dialect.WRITTEN, ledger, fields)
                    .diagnostics()
                    .lines();
        }
    }

    @Test
    void everyProblemOfEveryObjectIsReportedAtOnceInTheOrderOfTheFiles() throws IOException {
        NamedText second = new NamedText("b.yaml", """
            apiVersion: v1
            kind: Service
            metadata: {name: Wrong, labels: {a: 1}}
            spec:
              type: NodePort
              selektor: {app: web}
              clusterIP: 10.97.0.1
              ipFamilyPolicy: Dual
              ports:
              - port: 99999
                nodePort: 80
              - port: 81
                protocol: ICMP
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: late}
            spec:
              type: NodePort
              clusterIP: 10.97.0.1
              clusterIP: 10.97.0.2
              ports: [{port: 80, nodePort: 80}, {port: 81}]
            """);
        NamedText first = new NamedText("a.yaml", """
            apiVersion: apps/v1
            kind: Deployment
            ---
            kind: [
            """);
        assertThat(written(FieldValidation.STRICT, second, first))
                .containsExactly(
                        "b.yaml:3 (document 1): error: metadata.name: \"Wrong\": must be a DNS label (RFC 1123): lower-case"
                                + " letters, digits and \"-\", first and last a letter or digit, at most 63 characters",
                        "b.yaml:3 (document 1): error: metadata.labels.a: \"1\": must be a text, not a whole number"
                                + " (Service default/Wrong)",
                        "b.yaml:6 (document 1): error: spec.selektor: unknown field; did you mean selector?"
                                + " (Service default/Wrong)",
                        "b.yaml:7 (document 1): error: spec.clusterIPs[0]: \"10.97.0.1\": failed to allocate it:"
                                + " 10.97.0.1 is in no ServiceCIDR that is ready (a network's own address and an IPv4"
                                + " broadcast address are not) (Service default/Wrong)",
                        "b.yaml:8 (document 1): error: spec.ipFamilyPolicy: \"Dual\": is not supported: SingleStack,"
                                + " PreferDualStack and RequireDualStack are (Service default/Wrong)",
                        "b.yaml:10 (document 1): error: spec.ports[0].name: required when a service has more than one"
                                + " port (Service default/Wrong)",
                        "b.yaml:10 (document 1): error: spec.ports[0].port: \"99999\": must be 1 to 65535"
                                + " (Service default/Wrong)",
                        "b.yaml:11 (document 1): error: spec.ports[0].nodePort: \"80\": the valid range of node ports is"
                                + " 30000-32767 (Service default/Wrong)",
                        "b.yaml:12 (document 1): error: spec.ports[1].name: required when a service has more than one"
                                + " port (Service default/Wrong)",
                        "b.yaml:13 (document 1): error: spec.ports[1].protocol: \"ICMP\": must be one of TCP, UDP, SCTP"
                                + " (Service default/Wrong)",
                        "b.yaml:21 (document 2): error: spec.clusterIP: duplicate field, first on line 20"
                                + " (Service default/late)",
                        "b.yaml:21 (document 2): error: spec.clusterIPs[0]: \"10.97.0.2\": failed to allocate it:"
                                + " 10.97.0.2 is in no ServiceCIDR that is ready (a network's own address and an IPv4"
                                + " broadcast address are not) (Service default/late)",
                        "b.yaml:22 (document 2): error: spec.ports[0].name: required when a service has more than one"
                                + " port (Service default/late)",
                        "b.yaml:22 (document 2): error: spec.ports[1].name: required when a service has more than one"
                                + " port (Service default/late)",
                        "b.yaml:22 (document 2): error: spec.ports[0].nodePort: \"80\": the valid range of node ports is"
                                + " 30000-32767 (Service default/late)",
                        "a.yaml:1 (document 1): warning: \"apps/v1 Deployment\": this kind is not used here, ignored",
                        "a.yaml:5 (document 2): error: not YAML: while parsing a flow node: expected the node"
                                + " content, but found '<stream end>'");
    }

    /** The folder refuses such a file, too. */
    @Test
    void aFileWithoutContentIsWrong() throws IOException {
        assertThat(written(FieldValidation.STRICT, new NamedText("a.yaml", " \n"), new NamedText("b.yaml", "# b\n")))
                .containsExactly("a.yaml: error: the file is empty; delete it if its objects are to be removed");
    }

    @Test
    void unknownAndDuplicateFieldsAreErrorsWarningsOrNothing() throws IOException {
        NamedText text =
                new NamedText("a.yaml", GOOD.replace("  ports:", "  portz: 1\n  type: LoadBalancer\n  ports:"));
        assertThat(written(FieldValidation.STRICT, text)).hasSize(2).allMatch(line -> line.contains(": error: "));
        assertThat(written(FieldValidation.WARN, text)).hasSize(2).allMatch(line -> line.contains(": warning: "));
        assertThat(written(FieldValidation.IGNORE, text)).isEmpty();
        assertThat(ManifestValidation.of(List.of(text), Dialect.STORED, AdmissionStage.NONE, FieldValidation.STRICT)
                        .diagnostics()
                        .summary())
                .isEqualTo("2 errors");
    }

    @Test
    void thatAMisspeltFieldIsMissingIsNoErrorOfItsOwn() throws IOException {
        String slice = """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: a, labels: {kubernetes.io/service-name: a}}
            addressType: IPv4
            endpoints:
            - adresses: [10.0.0.1]
            """;
        assertThat(written(FieldValidation.STRICT, new NamedText("a.yaml", slice)))
                .containsExactly("a.yaml:6 (document 1): error: endpoints[0].adresses: unknown field; did you mean"
                        + " addresses? (EndpointSlice default/a)");
        assertThat(written(FieldValidation.WARN, new NamedText("a.yaml", slice)))
                .hasSize(2);
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
                "sessionAffinityConfig: {clientIP: {timeoutSeconds: 10}} -> sessionAffinityConfig: 5",
                "{timeoutSeconds: 10} -> {timeoutSeconds: ten}",
                "protocol: UDP -> protocol: udp",
                "protocol: UDP -> protocol: 17",
                "clusterIP: 10.96.0.10 -> clusterIP: 10",
                "clusterIPs: [10.96.0.10] -> clusterIPs: 10.96.0.10",
                "clusterIPs: [10.96.0.10] -> clusterIPs: [5]",
                "ipFamilies: [IPv4] -> ipFamilies: [ipv4]",
                "ipFamilies: [IPv4] -> ipFamilies: IPv4",
                "ipFamilyPolicy: SingleStack -> ipFamilyPolicy: Single",
                "ipFamilyPolicy: SingleStack -> ipFamilyPolicy: 1",
                "port: 53 -> port: x",
                "port: 53 -> port: 0",
                "targetPort: 53 -> targetPort: [53]",
                "nodePort: 30053 -> nodePort: 70000",
                "nodePort: 30053 -> nodePort: x",
                "healthCheckNodePort: 30055 -> healthCheckNodePort: x",
                "healthCheckNodePort: 30055 -> healthCheckNodePort: 80",
                "loadBalancerSourceRanges: [10.0.0.0/8] -> loadBalancerSourceRanges: [10]",
                "loadBalancerSourceRanges: [10.0.0.0/8] -> loadBalancerSourceRanges: [10.0.0.1/8]",
                "loadBalancerSourceRanges: [10.0.0.0/8] -> loadBalancerSourceRanges: 10",
                "loadBalancerClass: example.com/a -> loadBalancerClass: 5",
                "allocateLoadBalancerNodePorts: false -> allocateLoadBalancerNodePorts: 0",
                "- {name: a, -> - a\n  - {name: a,",
                "spec: -> specs:",
                "name: web -> name: Web",
                "name: web -> name: 5",
                "metadata: {name: web} -> metadata: web",
                "metadata: {name: web} -> labels: {name: web}",
            })
    void oneMistakeIsOneError(String change) throws IOException {
        assertThat(written(FieldValidation.IGNORE, new NamedText("a.yaml", GOOD)))
                .isEmpty();
        String[] words = change.split(" -> ", -1);
        String wrong = GOOD.replaceFirst(Pattern.quote(words[0]), words[1]);
        assertThat(written(FieldValidation.IGNORE, new NamedText("a.yaml", wrong)))
                .as(wrong)
                .hasSize(1);
    }
}
