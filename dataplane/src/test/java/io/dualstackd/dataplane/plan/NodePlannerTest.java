package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static io.dualstackd.netlink.ip.IpFamily.IPV4;
import static io.dualstackd.netlink.ip.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class NodePlannerTest {
    static Stream<LocalDetector> detectors() {
        return Stream.of(
                new LocalDetector.SourceIn(IpPrefix.parse("10.0.0.0/8")),
                new LocalDetector.FromBridge("cni0"),
                new LocalDetector.FromInterfacePrefix("veth"));
    }

    @ParameterizedTest
    @MethodSource("detectors")
    void masqueradesClusterIpTrafficUnlessFromAPod(LocalDetector detector) {
        NodePlan plan = NodePlanner.plan(node().detector(detector).view());
        assertThat(plan.localPods()).isEqualTo(detector);
        assertThat(plan.clusterIpMasquerade()).isEqualTo(new ClusterIpMasquerade.UnlessFrom(detector));
    }

    @ParameterizedTest
    @MethodSource("detectors")
    void masqueradeAllKeepsLocalPodDetection(LocalDetector detector) {
        NodePlan plan =
                NodePlanner.plan(node().detector(detector).masqueradeAll(true).view());
        assertThat(plan.localPods()).isEqualTo(detector);
        assertThat(plan.clusterIpMasquerade()).isEqualTo(new ClusterIpMasquerade.Always());
    }

    @Test
    void withoutDetectorClusterIpTrafficIsNeverMasqueraded() {
        assertThat(NodePlanner.plan(node().view()).clusterIpMasquerade()).isEqualTo(new ClusterIpMasquerade.Never());
        assertThat(NodePlanner.plan(node().masqueradeAll(true).view()).clusterIpMasquerade())
                .isEqualTo(new ClusterIpMasquerade.Always());
    }

    @Test
    void masqueradeBitBecomesAMark() {
        assertThat(NodePlanner.plan(node().view()).masqueradeMark()).isEqualTo(0x4000);
    }

    /** Columns: what node ports are restricted to; "all" is every local address, "all+lo" loopback, too; then the loopback guard. */
    @ParameterizedTest(name = "{0}: {2} with localhost node ports {3}")
    @CsvSource(delimiter = '|', textBlock = """
            IPv4 | all                                                     | on  | all+lo                   | guard
            IPv4 | all                                                     | off | all                      | –
            IPv4 | primary                                                 | off | 192.168.0.2              | –
            IPv4 | primary                                                 | on  | 192.168.0.2              | –
            IPv4 | 192.168.0.0/24 192.168.1.0/24 2001:db8::/64             | off | 192.168.0.2 192.168.1.2  | –
            IPv4 | 192.168.1.2/32                                          | off | 192.168.1.2              | –
            IPv4 | 2001:db8::/64                                           | off | all                      | –
            IPv4 | 2001:db8::/64                                           | on  | all+lo                   | guard
            IPv4 | 192.168.0.0/24 0.0.0.0/0                                | off | all                      | –
            IPv4 | 0.0.0.0/0                                               | on  | all+lo                   | guard
            IPv4 | 127.0.0.0/8 192.168.0.0/24                              | on  | 127.0.0.1 192.168.0.2    | guard
            IPv4 | 127.0.0.1/32                                            | on  | 127.0.0.1                | guard
            IPv4 | 127.0.0.0/8 192.168.0.0/24                              | off | 192.168.0.2              | –
            IPv4 | 172.16.0.0/12                                           | off |                          | –
            IPv6 | all                                                     | on  | all                      | –
            IPv6 | primary                                                 | on  | 2001:db8::1              | –
            IPv6 | 192.168.0.0/24                                          | off | all                      | –
            IPv6 | 192.168.0.0/24 2001:db8::/64 2001:db8:1::2/128          | off | 2001:db8::1 2001:db8:1::2 | –
            IPv6 | ::/0                                                    | on  | all                      | –
            IPv6 | ::1/128 2001:db8::/64                                   | on  | 2001:db8::1              | –
            """)
    void resolvesNodePortAddresses(String family, String configured, String localhost, String answers, String guard) {
        NodeViewBuilder given = switch (configured) {
            case "all" -> twoAddresses(family).nodePortsOn(NodePortAddresses.ALL);
            case "primary" -> twoAddresses(family).nodePortsOn(NodePortAddresses.PRIMARY);
            default -> twoAddresses(family).nodePortsIn(configured.split(" "));
        };
        NodePlan plan = NodePlanner.plan(
                given.localhostNodePorts(localhost.equals("on")).nfacct(true).view());
        assertThat(text(plan.nodePorts())).isEqualTo(answers == null ? "" : answers);
        assertThat(plan.guardLoopback()).isEqualTo(guard.equals("guard"));
        assertThat(plan.countLocalhost()).isEqualTo(guard.equals("guard"));
    }

    @ParameterizedTest
    @CsvSource({"IPv4, 127.0.0.1", "IPv6, ::1"})
    void primaryWithoutAnAddressOfTheFamilyOpensEveryAddress(String family, String loopback) {
        NodeViewBuilder given = twoAddresses(family).nodePortsOn(NodePortAddresses.PRIMARY);
        assertThat(NodePlanner.plan(given.nodeIp(Optional.empty()).view()).nodePorts())
                .isEqualTo(new NodePortMatch.AllLocal(false));
        var unknown = Optional.of(Ip.parse(loopback));
        assertThat(NodePlanner.plan(given.nodeIp(unknown).view()).nodePorts())
                .isEqualTo(new NodePortMatch.AllLocal(false));
    }

    private static NodeViewBuilder twoAddresses(String family) {
        return family.equals(IPV4.toString())
                ? node(IPV4).addresses("192.168.0.2", "192.168.1.2")
                : node(IPV6).addresses("2001:db8::1", "2001:db8:1::2");
    }

    private static String text(NodePortMatch match) {
        return switch (match) {
            case NodePortMatch.AllLocal(boolean loopback) -> loopback ? "all+lo" : "all";
            case NodePortMatch.Only(var ips) ->
                String.join(" ", ips.stream().map(Object::toString).toList());
        };
    }
}
