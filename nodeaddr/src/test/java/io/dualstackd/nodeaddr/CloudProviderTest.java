package io.dualstackd.nodeaddr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the README shows, compiled; and the annotations that lead from a node to its provider. */
final class CloudProviderTest {
    private static final NodeAddress V4 = NodeAddress.internal(Ip.parse("10.0.0.1"));
    private static final NodeAddress V6 = NodeAddress.internal(Ip.parse("fd00::1"));
    private static final NodeAddress EXTERNAL = new NodeAddress(NodeAddress.Type.EXTERNAL_IP, "192.0.2.1");
    private static final NodeAddress NAME = NodeAddress.hostname("n");

    private static List<NodeAddress> addresses(
            List<NodeAddress> provided, Map<String, String> annotations, List<NodeAddress> onNode)
            throws NodeAddressException {
        List<NodeAddress> all = CloudAddresses.withHostname(provided, onNode);
        String wanted = annotations.get(NodeStatus.WANTED);
        String legacy = annotations.get(LegacyNodeIp.ANNOTATION);
        return wanted != null
                ? CloudAddresses.order(all, NodeIps.parse(wanted)).addresses()
                : legacy != null ? CloudAddresses.filter(all, LegacyNodeIp.parseAnnotation(legacy)) : all;
    }

    @Test
    void newAnnotationTakesPrecedence() throws NodeAddressException {
        List<NodeAddress> provided = List.of(V6, V4, EXTERNAL);
        assertThat(addresses(provided, Map.of(), List.of(NAME))).containsExactly(V6, V4, EXTERNAL, NAME);
        assertThat(addresses(provided, Map.of(LegacyNodeIp.ANNOTATION, "10.0.0.1"), List.of(NAME)))
                .containsExactly(V4, EXTERNAL, NAME);
        assertThat(addresses(
                        provided,
                        Map.of(LegacyNodeIp.ANNOTATION, "10.0.0.1", NodeStatus.WANTED, "10.0.0.1,ipv6"),
                        List.of(NAME)))
                .containsExactly(V4, V6, EXTERNAL, NAME);
    }

    @Test
    void aNameOfTheProviderStays() {
        NodeAddress given = NodeAddress.hostname("from-the-cloud");
        assertThat(CloudAddresses.withHostname(List.of(V4, given), List.of(NAME)))
                .containsExactly(V4, given);
        assertThat(CloudAddresses.withHostname(List.of(V4), List.of())).containsExactly(V4);
    }

    private static final Host HOST = new Host(
            List.of(new Host.Link(2, "eth0", true, false, false)),
            List.of(
                    new Host.Address(2, Ip.parse("10.0.0.1"), 24, 0, Set.of()),
                    new Host.Address(2, Ip.parse("fd00::1"), 64, 0, Set.of())),
            List.of());

    private static Map<String, String> annotations(String nodeIps) throws NodeAddressException {
        return NodeStatus.NEW
                .next(Optional.of(NodeIps.parse(nodeIps)), true, HostNames.of("n"), HOST)
                .annotations();
    }

    @Test
    void nodeForCloudProvider() throws NodeAddressException {
        assertThat(annotations("10.0.0.1,fd00::1"))
                .isEqualTo(Map.of(NodeStatus.WANTED, "10.0.0.1,fd00::1", LegacyNodeIp.ANNOTATION, "10.0.0.1,fd00::1"));
        assertThat(annotations("10.0.0.1,ipv6")).isEqualTo(Map.of(NodeStatus.WANTED, "10.0.0.1,ipv6"));
        assertThat(annotations("interface:eth0")).isEqualTo(Map.of(NodeStatus.WANTED, "10.0.0.1,fd00::1"));
        assertThat(annotations("interface:eth1/ipv4,ipv6")).isEqualTo(Map.of(NodeStatus.WANTED, "ipv6"));
        assertThat(NodeStatus.NEW
                        .next(Optional.empty(), true, HostNames.of("n"), HOST)
                        .annotations())
                .isEqualTo(Map.of(NodeStatus.WANTED, "ipv4,ipv6"));
    }

    @Test
    void onTheNodeInterfacesAreKnown() throws NodeAddressException {
        NodeAddress other = NodeAddress.internal(Ip.parse("10.0.0.9"));
        assertThat(CloudAddresses.order(List.of(other, V4, V6), NodeIps.parse("interface:eth0/ipv4"), HOST)
                        .addresses())
                .containsExactly(V4, other);
        assertThatThrownBy(() -> CloudAddresses.order(List.of(V4), NodeIps.parse("interface:eth0")))
                .isInstanceOf(NodeAddressException.class)
                .hasMessageContaining("interface eth0");
    }
}
