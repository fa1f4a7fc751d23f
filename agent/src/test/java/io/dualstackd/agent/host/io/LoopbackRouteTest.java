package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kernel")
final class LoopbackRouteTest {
    static Stream<Arguments> cases() {
        return Stream.of(
                Arguments.of(NodePortAddresses.ALL, true, "1"),
                Arguments.of(NodePortAddresses.ALL, false, "0"),
                Arguments.of(within("10.0.0.0/8"), true, "0"),
                Arguments.of(within("10.0.0.0/8", "127.0.0.0/8"), true, "1"),
                Arguments.of(within("2001:db8::/64"), true, "1"),
                Arguments.of(NodePortAddresses.PRIMARY, true, "0"));
    }

    private static NodePortAddresses within(String... networks) {
        return new NodePortAddresses.Within(
                Stream.of(networks).map(IpPrefix::parse).toList());
    }

    /** Where nothing guards 127.0.0.0/8, nothing may open it: a neighbour on the link could reach what listens there. */
    @ParameterizedTest
    @MethodSource("cases")
    void isOpenedOnlyWhereItIsGuarded(NodePortAddresses addresses, boolean localhost, String expected)
            throws Exception {
        NodeSettings node = NodeSettingsBuilder.node("n")
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .nodePortsOn(addresses)
                .localhostNodePorts(localhost)
                .settings();
        try (NetNs ns = FreshNetNs.create()) {
            LoopbackRoute.open(KernelSettings.of(ns), node);
            assertThat(Sysctl.read(ns, "net/ipv4/conf/all/route_localnet")).isEqualTo(expected);
        }
    }
}
