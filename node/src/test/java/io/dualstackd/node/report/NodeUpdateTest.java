package io.dualstackd.node.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.report.NodeObject.Address;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written to the Node object. Addresses are written as {@code I 10.0.0.1} (InternalIP), E (ExternalIP), H (Hostname), D (ExternalDNS). */
final class NodeUpdateTest {
    private static final String UNINITIALIZED =
            "{\"key\":\"node.cloudprovider.kubernetes.io/uninitialized\",\"value\":\"true\",\"effect\":\"NoSchedule\"}";
    private static final String OTHER =
            "{\"key\":\"other\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}";

    private static List<Address> addresses(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(","))
                        .map(String::strip)
                        .map(entry -> new Address(
                                switch (entry.charAt(0)) {
                                    case 'I' -> "InternalIP";
                                    case 'E' -> "ExternalIP";
                                    case 'D' -> "ExternalDNS";
                                    default -> "Hostname";
                                },
                                entry.substring(2)))
                        .toList();
    }

    private static NodeObject node(String addresses, String providerId, String annotations, String taints) {
        List<String> entries = addresses(addresses).stream()
                .map(entry -> "{\"type\":\"" + entry.type() + "\",\"address\":\"" + entry.address() + "\"}")
                .toList();
        return NodeObject.read(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"7\","
                                + "\"annotations\":{" + annotations + "}},\"spec\":{\"providerID\":\"" + providerId
                                + "\",\"taints\":[" + taints + "]},\"status\":{\"addresses\":["
                                + String.join(",", entries) + "]}}")
                .orElseThrow();
    }

    private static AddressChoice host(String... ips) {
        return ips.length == 0
                ? new AddressChoice.None("nothing here", List.of())
                : new AddressChoice.Found(
                        NodeAddresses.of(Arrays.stream(ips)
                                .map(ip -> NodeAddress.internal(Ip.parse(ip)))
                                .toList()),
                        AddressChoice.Source.HOST);
    }

    private static final Host HOST = new Host(
            List.of(
                    new Host.Link(1, "eth0", true, false, false),
                    new Host.Link(2, "eth1", true, false, false),
                    new Host.Link(3, "eth3", true, false, false)),
            List.of(
                    address(1, "10.0.0.1"),
                    address(1, "fd00::1"),
                    address(2, "10.0.1.1"),
                    address(2, "fd00::2"),
                    address(3, "fe80::3")),
            List.of());

    private static Host.Address address(int link, String ip) {
        return new Host.Address(link, Ip.parse(ip), 24, 0, Set.of());
    }

    private static Optional<NodeIps> given(@Nullable String text) {
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(NodeIps.parse(text));
    }

    /** The node's addresses are 10.0.0.1 and fd00::1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # duty   | node-ips          | provider | before                        | after
            PROVIDE  |                   |          | H h                           | I 10.0.0.1, I fd00::1, H h
            PROVIDE  |                   |          |                               | I 10.0.0.1, I fd00::1, H host
            PROVIDE  |                   |          | I 10.0.0.1, I fd00::1, H h    | I 10.0.0.1, I fd00::1, H h
            PROVIDE  |                   |          | I fd00::1, I 10.0.0.1, H h    | I 10.0.0.1, I fd00::1, H h
            PROVIDE  |                   |          | I 10.9.9.9, E 5.5.5.5, D d    | I 10.0.0.1, I fd00::1, D d, H host
            PROVIDE  | ipv6,ipv4         | aws:///x | I 10.0.0.9, I fd00::9, H h, D d | I fd00::9, I 10.0.0.9, H h, D d
            PROVIDE  |                   | aws:///x | I 10.0.0.9, H h               | I 10.0.0.9, H h
            ORDER    | ipv6,ipv4         |          | I 10.0.0.9, I fd00::9, H h    | I fd00::9, I 10.0.0.9, H h
            ORDER    | ipv4              |          | I fd00::9, I 10.0.0.9, H h    | I 10.0.0.9, H h, I fd00::9
            ORDER    | ipv4              |          | I 10.0.0.9, I fd00::9, H h    | I 10.0.0.9, I fd00::9, H h
            ORDER    | 10.0.0.2          |          | I 10.0.0.1, I 10.0.0.2        | I 10.0.0.2, I 10.0.0.1
            ORDER    |                   |          | I fd00::9, I 10.0.0.9         | I fd00::9, I 10.0.0.9
            ORDER    | ipv4,ipv6         |          |                               |
            ORDER    | interface:eth1    |          | I fd00::1, I 10.0.0.1, I fd00::2, I 10.0.1.1 | I 10.0.1.1, I fd00::2, I fd00::1, I 10.0.0.1
            ORDER    | interface:eth1/ipv6,ipv4 |   | I 10.0.0.1, I fd00::1, I fd00::2, H h | I fd00::2, I 10.0.0.1, I fd00::1, H h
            ORDER    | interface:eth3/ipv6,ipv4 |   | I fd00::1, I 10.0.0.1         | I fd00::1, I 10.0.0.1
            ORDER    | interface:eth2/ipv6,ipv4 |   | I fd00::1, I 10.0.0.1         | I fd00::1, I 10.0.0.1
            FILTER   | interface:eth2    |          | I fd00::1, I 10.0.0.1, H h    | I 10.0.0.1, I fd00::1, H h
            FILTER   | 192.0.2.0/24,ipv6 |          | I 10.0.0.1, I fd00::1, H h    | I fd00::1, H h, I 10.0.0.1
            FILTER   | interface:eth1/ipv4 |        | I fd00::1, I 10.0.0.1, I 10.0.1.1, H h | I 10.0.1.1, I 10.0.0.1, H h
            FILTER   | ipv4              |          | I fd00::9, I 10.0.0.9, H h    | I 10.0.0.9, H h
            FILTER   | ipv4              | aws:///x | I 10.0.0.9, E 2001:db8::9, D d, H h | I 10.0.0.9, D d, H h
            FILTER   | 10.0.0.2          |          | I 10.0.0.1, I 10.0.0.2, I fd00::9 | I 10.0.0.2, I 10.0.0.1
            FILTER   | ipv6,ipv4         |          | I 10.0.0.9, I fd00::9, H h    | I fd00::9, I 10.0.0.9, H h
            FILTER   |                   |          | I fd00::9, I 10.0.0.9         | I fd00::9, I 10.0.0.9
            """)
    void theAddressesComeOut(AddressManagement duty, String nodeIps, String provider, String before, String after) {
        NodeObject node = node(before == null ? "" : before, provider == null ? "" : provider, "", "");
        NodeUpdate plan = NodeUpdate.of(node, duty, given(nodeIps), host("10.0.0.1", "fd00::1"), HOST, "host");
        assertThat(plan.addresses()).isEqualTo(addresses(after == null ? "" : after));
        assertThat(plan.problem()).isEmpty();
        assertThat(plan.requests().stream()
                        .filter(writeRequest -> writeRequest.path().endsWith("/status")))
                .hasSize(plan.addresses().equals(node.addresses()) ? 0 : 1);
    }

    @Test
    void theListIsReplacedAsAWhole() {
        NodeUpdate plan = NodeUpdate.of(
                node("H h", "", "", ""), AddressManagement.PROVIDE, Optional.empty(), host("10.0.0.1"), HOST, "host");
        assertThat(plan.requests())
                .containsExactly(
                        new WriteRequest(
                                "PATCH",
                                "/api/v1/nodes/n1/status",
                                "application/merge-patch+json",
                                "{\"metadata\":{\"resourceVersion\":\"7\"},\"status\":{\"addresses\":["
                                        + "{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"},{\"type\":\"Hostname\",\"address\":\"h\"}]}}"));
    }

    @Test
    void removesTaintOfUninitializedNode() {
        NodeObject node = node("I 10.0.0.1, H h", "", "", OTHER + "," + UNINITIALIZED);
        assertThat(NodeUpdate.of(node, AddressManagement.PROVIDE, Optional.empty(), host("10.0.0.1"), HOST, "h")
                        .requests())
                .containsExactly(WriteRequest.patch(
                        "/api/v1/nodes/n1",
                        Tree.object(
                                        "spec",
                                        Tree.object(
                                                "taints", List.of(node.taints().getFirst())))
                                .with("metadata", Tree.object("resourceVersion", "7"))))
                .allSatisfy(writeRequest -> assertThat(writeRequest.body()).contains("[" + OTHER + "]"));
        assertThat(NodeUpdate.of(node, AddressManagement.ORDER, Optional.empty(), host("10.0.0.1"), HOST, "h")
                        .requests())
                .as("somebody else's business")
                .isEmpty();
        assertThat(NodeUpdate.of(node, AddressManagement.PROVIDE, Optional.empty(), host(), HOST, "h")
                        .requests())
                .as("not before it has addresses")
                .isEmpty();
        NodeObject without = node("H h", "metal3://x", "", UNINITIALIZED);
        assertThat(NodeUpdate.of(without, AddressManagement.PROVIDE, Optional.empty(), host("10.0.0.1"), HOST, "h")
                        .requests())
                .as("first the addresses; kubelet was given the id")
                .extracting(WriteRequest::path)
                .containsExactly("/api/v1/nodes/n1/status");
    }

    /** A node without any address cannot be reached: then nothing is removed. */
    @Test
    void theLastAddressIsNotRemoved() {
        NodeUpdate plan = NodeUpdate.of(
                node("I fd00::9, H h", "x://y", "", ""), AddressManagement.FILTER, given("ipv4"), host(), HOST, "h");
        assertThat(plan.addresses()).isEqualTo(addresses("I fd00::9, H h"));
        assertThat(plan.problem()).isPresent();
    }

    private static String annotations(String present, @Nullable String nodeIps) {
        return NodeUpdate.of(
                        node("I 10.0.0.1, I fd00::1", "aws:///x", present, ""),
                        AddressManagement.ORDER,
                        given(nodeIps),
                        host(),
                        HOST,
                        "h")
                .requests()
                .stream()
                .map(WriteRequest::body)
                .reduce("", String::concat);
    }

    /** Otherwise providers would filter by outdated addresses. */
    @Test
    void providerAnnotationIsRemovedWithTheAddresses() {
        String both = "\"dualstackd.io/node-ips\":\"10.0.0.1\",\"alpha.kubernetes.io/provided-node-ip\":\"10.0.0.1\"";
        assertThat(annotations(both, "ipv4,ipv6"))
                .isEqualTo("{\"metadata\":{\"annotations\":{\"dualstackd.io/node-ips\":\"ipv4,ipv6\","
                        + "\"alpha.kubernetes.io/provided-node-ip\":null}}}");
        assertThat(annotations(both, null))
                .isEqualTo("{\"metadata\":{\"annotations\":{\"dualstackd.io/node-ips\":null,"
                        + "\"alpha.kubernetes.io/provided-node-ip\":null}}}");
        assertThat(annotations(both, "10.0.0.1")).isEmpty();
    }

    @Test
    void anAnnotationOfKubeletStays() {
        String kubelets = "\"alpha.kubernetes.io/provided-node-ip\":\"10.0.0.1\"";
        assertThat(annotations(kubelets, null)).isEmpty();
        assertThat(annotations(kubelets, "ipv4"))
                .isEqualTo("{\"metadata\":{\"annotations\":{\"dualstackd.io/node-ips\":\"ipv4\"}}}");
        assertThat(annotations(kubelets + ",\"dualstackd.io/node-ips\":\"10.0.0.7\"", "ipv4"))
                .as("kubelet has written another one since")
                .doesNotContain("provided-node-ip");
        assertThat(annotations(kubelets + ",\"dualstackd.io/node-ips\":\"nonsense\"", "ipv4"))
                .doesNotContain("provided-node-ip");
    }

    @Test
    void annotatesTheGivenAddressesForProviders() {
        NodeObject node = node("I 10.0.0.1, I fd00::1", "aws:///x", "", "");
        Optional<NodeIps> exact = given("10.0.0.1,fd00::1");
        assertThat(NodeUpdate.of(node, AddressManagement.ORDER, exact, host(), HOST, "h")
                        .requests())
                .extracting(WriteRequest::path, WriteRequest::body)
                .containsExactly(
                        tuple(
                                "/api/v1/nodes/n1",
                                "{\"metadata\":{\"annotations\":{\"dualstackd.io/node-ips\":\"10.0.0.1,fd00::1\",\"alpha.kubernetes.io/provided-node-ip\":\"10.0.0.1,fd00::1\"}}}"));
        assertThat(NodeUpdate.of(node, AddressManagement.ORDER, given("10.0.0.1,ipv6"), host(), HOST, "h")
                        .requests())
                .extracting(WriteRequest::body)
                .as("a family is nothing they understand")
                .containsExactly("{\"metadata\":{\"annotations\":{\"dualstackd.io/node-ips\":\"10.0.0.1,ipv6\"}}}");
        NodeObject withAnnotation = node(
                "I 10.0.0.1, I fd00::1",
                "aws:///x",
                "\"dualstackd.io/node-ips\":\"10.0.0.1,fd00::1\","
                        + "\"alpha.kubernetes.io/provided-node-ip\":\"10.0.0.1,fd00::1\"",
                "");
        assertThat(NodeUpdate.of(withAnnotation, AddressManagement.ORDER, exact, host(), HOST, "h")
                        .requests())
                .isEmpty();
    }

    @Test
    void reportsImpossibleUpdateAndChangesNothing() {
        NodeUpdate nothing =
                NodeUpdate.of(node("H h", "", "", ""), AddressManagement.PROVIDE, Optional.empty(), host(), HOST, "h");
        assertThat(nothing.problem()).contains("nothing here");
        assertThat(nothing.requests()).isEmpty();
        NodeUpdate early = NodeUpdate.of(
                node("H h", "", "", ""),
                AddressManagement.PROVIDE,
                Optional.empty(),
                AddressChoice.None.YET,
                HOST,
                "h");
        assertThat(early.problem()).as("there will be a nudge").isEmpty();
        assertThat(early.requests()).isEmpty();
        NodeUpdate impossible = NodeUpdate.of(
                node("I 10.0.0.1", "x://y", "", ""),
                AddressManagement.ORDER,
                given("10.0.0.9"),
                host("10.0.0.1"),
                HOST,
                "h");
        assertThat(impossible.problem())
                .hasValueSatisfying(text -> assertThat(text).contains("10.0.0.9"));
        assertThat(impossible.addresses()).isEqualTo(addresses("I 10.0.0.1"));
    }

    @Test
    void otherKindsAreNotRead() {
        assertThat(NodeObject.read("{\"kind\":\"Status\"}")).isEmpty();
        assertThat(NodeObject.read("no")).isEmpty();
    }
}
