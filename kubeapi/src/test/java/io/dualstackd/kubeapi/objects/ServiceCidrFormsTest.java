package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ServiceCIDRs and IPAddresses as the versions of their API before v1 had them. */
final class ServiceCidrFormsTest {
    private static Decoded cidr(String version, String spec) {
        return Manifests.decode("cidr.yaml", """
            apiVersion: networking.k8s.io/%s
            kind: ServiceCIDR
            metadata: {name: more}
            spec: %s
            """.formatted(version, spec), Dialect.WRITTEN);
    }

    private static List<String> networks(Decoded decoded) {
        assertThat(decoded.problems()).isEmpty();
        return ((ServiceCidr) decoded.objects().getFirst().object())
                .cidrs().stream().map(network -> network.toString()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v1       | {cidrs: [10.97.0.0/16, 'fd00:97::/112']}      | 10.97.0.0/16,fd00:97::/112",
                "v1beta1  | {cidrs: ['fd00:97::/112', 10.97.0.0/16]}      | fd00:97::/112,10.97.0.0/16",
                "v1alpha1 | {cidrs: [10.97.0.0/16]}                       | 10.97.0.0/16",
                "v1alpha1 | {ipv4: 10.97.0.0/16}                          | 10.97.0.0/16",
                "v1alpha1 | {ipv6: 'fd00:97::/112'}                       | fd00:97::/112",
                "v1alpha1 | {ipv6: 'fd00:97::/112', ipv4: 10.97.0.0/16}   | 10.97.0.0/16,fd00:97::/112",
                "v1alpha1 | {ipv6: 'fd00:97::/112', ipv4: ''}             | fd00:97::/112",
            })
    void everyFormIsRead(String version, String spec, String expected) {
        assertThat(String.join(",", networks(cidr(version, spec.strip())))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ipv4: 'fd00:97::/112'}                   | spec.ipv4: \"fd00:97::/112\": must be a network of IPv4",
                "{ipv6: 10.97.0.0/16}                      | spec.ipv6: \"10.97.0.0/16\": must be a network of IPv6",
                "{ipv4: 10.97.0.0/16, cidrs: [10.0.0.0/8]} | spec.ipv4: \"10.97.0.0/16\": must not be given beside spec.cidrs",
                "{ipv4: 10.97.0.1/16}                      | must be written in canonical form: 10.97.0.0/16",
                "{}                                        | spec.cidrs: required: one or two networks",
            })
    void refusesContradictoryFields(String spec, String problem) {
        Decoded decoded = cidr("v1alpha1", spec.strip());
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems())
                .extracting(Problem::toString)
                .anyMatch(text -> text.contains(problem.replace("spec.cidrs: required", "cidrs: required")));
    }

    @Test
    void theAlphaFormOfAnIpAddressIsRead() {
        Decoded decoded = Manifests.decode("ip.yaml", """
            apiVersion: networking.k8s.io/v1alpha1
            kind: IPAddress
            metadata: {name: 10.97.0.7}
            spec: {parentRef: {resource: services, namespace: shop, name: web, uid: 0d9c}}
            """, Dialect.WRITTEN);
        assertThat(decoded.problems()).isEmpty();
        assertThat(((IpAddress) decoded.objects().getFirst().object()).parent())
                .isEqualTo(new IpAddress.Parent("", "services", "shop", "web", "0d9c"));
    }
}
