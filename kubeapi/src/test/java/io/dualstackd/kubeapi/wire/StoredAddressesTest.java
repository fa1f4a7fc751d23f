package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Spellings of addresses that API servers took before they were strict, and keep (KEP-4858). */
final class StoredAddressesTest {
    private static Recorded decode(ObjectKey.Kind kind, String list) throws WireException {
        Recorded recorded = new Recorded();
        WireDecoder decoder = WireFormat.JSON.list(kind, recorded);
        decoder.feed(ByteBuffer.wrap(list.getBytes(StandardCharsets.UTF_8)));
        decoder.end();
        return recorded;
    }

    private static Recorded service(String spec) throws WireException {
        return service(spec, "10.96.0.7");
    }

    private static Recorded service(String spec, String clusterIp) throws WireException {
        return decode(ObjectKey.Kind.SERVICE, """
                {"kind": "ServiceList", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": [
                  {"metadata": {"name": "web", "namespace": "shop", "resourceVersion": "5"}, "spec": {
                    "type": "LoadBalancer", "clusterIP": "%s", "ports": [{"port": 80}], %s}}]}
                """.formatted(clusterIp, spec));
    }

    /** A range that is dropped, if it is the only one, opens the Service to everybody. */
    @Test
    void leadingZerosOfAPrefixLength() throws WireException {
        Recorded recorded =
                service("\"loadBalancerSourceRanges\": [\"2001:db8::/032\", \"203.0.113.000/025\", \"::/0\"]");
        assertThat(recorded.dropped).isEmpty();
        assertThat(((Service) recorded.objects.getFirst()).loadBalancerSourceRanges())
                .extracting(Object::toString)
                .containsExactly("2001:db8::/32", "203.0.113.0/25", "::/0");
    }

    @Test
    void addressesMappedToIpv6AreThoseOfIpv4() throws WireException {
        Recorded recorded = service("\"externalIPs\": [\"::ffff:203.0.113.5\", \"203.0.113.007\"]");
        assertThat(recorded.dropped).isEmpty();
        assertThat(((Service) recorded.objects.getFirst()).externalIps())
                .extracting(Object::toString)
                .containsExactly("203.0.113.5", "203.0.113.7");
    }

    /** An API server accepts such a network for Services, which overlaps with no other one. */
    @Test
    void aClusterIpMayBeOfTheNetworkOfIpv4LinkLocalAddresses() throws WireException {
        Recorded recorded = service("\"clusterIPs\": [\"169.254.128.7\"]", "169.254.128.7");
        assertThat(recorded.dropped).isEmpty();
        assertThat(((Service) recorded.objects.getFirst()).clusterIps())
                .extracting(Object::toString)
                .containsExactly("169.254.128.7");
        assertThat(service("\"externalIPs\": [\"169.254.128.7\", \"fe80::1\"]", "127.0.0.1").dropped)
                .as("a link's address, and a host's own")
                .hasSize(3);
    }

    /** The length counts the bits of an IPv6 address. Without the network, every source would be allowed. */
    @Test
    void networksMappedToIpv6AreThoseOfIpv4() throws WireException {
        Recorded recorded =
                service("\"loadBalancerSourceRanges\": [\"::ffff:203.0.113.0/120\", \"::FFFF:192.0.2.9/0128\"]");
        assertThat(recorded.dropped).isEmpty();
        assertThat(((Service) recorded.objects.getFirst()).loadBalancerSourceRanges())
                .extracting(Object::toString)
                .containsExactly("203.0.113.0/24", "192.0.2.9/32");
        assertThat(service("\"loadBalancerSourceRanges\": [\"::ffff:203.0.113.0/95\"]").dropped)
                .extracting(IgnoredValue::toString)
                .singleElement()
                .asString()
                .contains("::ffff:203.0.113.0/95");
    }

    @Test
    void anEndpointMappedToIpv6IsOneOfIpv4() throws WireException {
        Recorded recorded = decode(ObjectKey.Kind.ENDPOINT_SLICE, """
                {"kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1", "metadata": {"resourceVersion": "7"},
                  "items": [{"metadata": {"name": "web-1", "namespace": "shop", "resourceVersion": "5",
                    "labels": {"kubernetes.io/service-name": "web"}}, "addressType": "IPv4",
                    "endpoints": [{"addresses": ["::ffff:10.0.0.1"]}], "ports": [{"port": 8080}]}]}
                """);
        assertThat(recorded.dropped).isEmpty();
        assertThat(((EndpointSlice) recorded.objects.getFirst()).toString()).contains("10.0.0.1");
    }
}
