package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.dualstackd.netlink.ip.IpPrefix;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Networks of pods in a Node: one of each family, whatever it comes from. */
final class NodeNetworksTest {
    private static Recorded fromServer(String podCidrs) throws WireException {
        String list = """
            {"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": [
              {"metadata": {"name": "n", "resourceVersion": "5"}, "spec": {"podCIDRs": %s}}]}
            """.formatted(podCidrs);
        Recorded recorded = new Recorded();
        WireDecoder decoder = WireFormat.JSON.list(ObjectKey.Kind.NODE, recorded);
        decoder.feed(ByteBuffer.wrap(list.getBytes(StandardCharsets.UTF_8)));
        decoder.end();
        return recorded;
    }

    /** Silently they counted as none at all. */
    @Test
    void twoOfOneFamilyInAFileAreRefused() {
        Decoded decoded = Manifests.decode("node.yaml", """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            spec: {podCIDRs: [10.1.0.0/24, 10.2.0.0/24]}
            """);
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems())
                .singleElement()
                .hasToString("node.yaml:4 (document 1): spec.podCIDRs: must be one network, or two of different IP"
                        + " families (Node n)");
    }

    @Test
    void oneOfEachFamilyIsUsed() {
        Decoded decoded = Manifests.decode("node.yaml", """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            spec: {podCIDRs: ["fd00:1::/64", 10.1.0.0/24]}
            """);
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.objects())
                .extracting(LocatedObject::object)
                .singleElement()
                .isInstanceOfSatisfying(
                        Node.class,
                        node -> assertThat(node.podCidrs())
                                .containsExactly(IpPrefix.parse("fd00:1::/64"), IpPrefix.parse("10.1.0.0/24")));
    }

    /** The other family of such a Node is used, and both networks are named. */
    @Test
    void twoOfOneFamilyFromAServerAreDroppedAndNamed() throws WireException {
        Recorded recorded = fromServer("[\"10.1.0.0/24\", \"fd00:1::/64\", \"10.2.0.0/24\"]");
        assertThat(recorded.dropped)
                .extracting(IgnoredValue::toString)
                .containsExactly("Node n: spec.podCIDRs \"10.1.0.0/24,10.2.0.0/24\": must be one network, or two of"
                        + " different IP families; ignored");
        assertThat(recorded.recorded.toString()).contains("fd00:1::/64").doesNotContain("10.1.0.0/24");
    }

    @Test
    void oneOfEachFamilyFromAServerIsUsed() throws WireException {
        Recorded recorded = fromServer("[\"10.1.0.0/24\", \"fd00:1::/64\"]");
        assertThat(recorded.dropped).isEqualTo(List.of());
        assertThat(recorded.recorded.toString()).contains("10.1.0.0/24").contains("fd00:1::/64");
    }
}
