package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import org.junit.jupiter.api.Test;

class ChainNamesTest {
    private static final ServicePortName P80 = new ServicePortName(new ServiceKey("ns1", "svc1"), "p80", Proto.TCP);

    @Test
    void namesAreThoseOfKubeProxy() {
        assertThat(ChainNames.of(P80).cluster()).isEqualTo("KUBE-SVC-XPGD46QRK7WJZT7O");
        assertThat(ChainNames.of(P80).local()).isEqualTo("KUBE-SVL-XPGD46QRK7WJZT7O");
        assertThat(ChainNames.of(P80).external()).isEqualTo("KUBE-EXT-XPGD46QRK7WJZT7O");
        assertThat(ChainNames.of(P80).firewall()).isEqualTo("KUBE-FW-XPGD46QRK7WJZT7O");
        assertThat(ChainNames.endpoint(P80, new IpPort(Ip.parse("10.180.0.1"), 80)))
                .isEqualTo("KUBE-SEP-SXIVWICOYRO3J4NJ")
                .hasSizeLessThan(28);
    }

    @Test
    void protocolPortAndEndpointMakeADifference() {
        var udp = new ServicePortName(P80.service(), "p80", Proto.UDP);
        var unnamed = new ServicePortName(P80.service(), "", Proto.TCP);
        assertThat(ChainNames.of(udp)).isNotEqualTo(ChainNames.of(P80));
        assertThat(ChainNames.of(unnamed)).isNotEqualTo(ChainNames.of(P80));
        assertThat(ChainNames.endpoint(P80, new IpPort(Ip.parse("10.180.0.1"), 81)))
                .isNotEqualTo(ChainNames.endpoint(P80, new IpPort(Ip.parse("10.180.0.1"), 80)));
    }
}
