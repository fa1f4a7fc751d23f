package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.NodeSettingsBuilder;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which family of a pod's addresses comes first: kubelet goes by its flag, KEP-563 by the networks of Services. */
final class PodModuleTest {
    @ParameterizedTest
    @CsvSource({
        "'',                IPV4, IPV4",
        "'',                IPV6, IPV6",
        "'',                '',   IPV4",
        "'ipv6,ipv4',       IPV4, IPV6",
        "10.0.0.1,          IPV6, IPV4",
        "'fd00::1,ipv4',    '',   IPV6",
    })
    void theFlagComesBeforeTheServices(String nodeIps, String services, IpFamily expected) {
        NodeSettingsBuilder given = NodeSettingsBuilder.node("n");
        assertThat(PodModule.firstFamily(
                        nodeIps.isEmpty()
                                ? given.settings()
                                : given.ips(nodeIps).settings(),
                        services.isEmpty() ? Optional.empty() : Optional.of(IpFamily.valueOf(services))))
                .isEqualTo(expected);
    }
}
