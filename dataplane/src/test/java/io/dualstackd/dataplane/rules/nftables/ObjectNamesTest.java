package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.StickyEndpoint;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names are those kube-proxy gives, so that people find what they know. */
class ObjectNamesTest {
    @ParameterizedTest
    @CsvSource({
        "testing, service, http, P4ZYZVCF-testing/service/tcp/http",
        "testing, service, https, LZBRENCP-testing/service/tcp/https",
        "ns1, svc1, p80, ULMVA6XW-ns1/svc1/tcp/p80",
        "ns5, svc5, p80, HVFWP5L3-ns5/svc5/tcp/p80"
    })
    void ofLists(String namespace, String service, String port, String expected) {
        ServicePortName name = new ServicePortName(new ServiceKey(namespace, service), port, Proto.TCP);
        assertThat(ObjectNames.list(name, false)).isEqualTo("service-" + expected);
        assertThat(ObjectNames.list(name, true)).isEqualTo("local-" + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "10.180.0.1, JO2XBXZR-testing/service/tcp/http__10.180.0.1/80",
        "10.180.0.2, 5S6H3H22-testing/service/tcp/http__10.180.0.2/80"
    })
    void ofEndpoints(String ip, String expected) {
        ServicePortName name = new ServicePortName(new ServiceKey("testing", "service"), "http", Proto.TCP);
        IpPort address = new IpPort(Ip.parse(ip), 80);
        assertThat(ObjectNames.endpoint(name, address))
                .isEqualTo(new StickyEndpoint("endpoint-" + expected, "affinity-" + expected, address));
    }

    /** A colon would end the name for the nft tool. */
    @Test
    void ofIpv6EndpointsHoldNoColon() {
        ServicePortName name = new ServicePortName(new ServiceKey("testing", "service"), "http", Proto.TCP);
        assertThat(ObjectNames.endpoint(name, new IpPort(Ip.parse("fd00:10::5"), 80))
                        .chain())
                .endsWith("-testing/service/tcp/http__fd00.10..5/80");
    }

    @Test
    void longOnesAreCutAndStayDifferent() {
        String longest = "n".repeat(253);
        ServicePortName one = new ServicePortName(new ServiceKey("ns", longest), "a", Proto.TCP);
        ServicePortName other = new ServicePortName(new ServiceKey("ns", longest), "b", Proto.TCP);
        assertThat(ObjectNames.list(one, false)).endsWith("...").hasSizeLessThan(255);
        assertThat(ObjectNames.list(one, false)).isNotEqualTo(ObjectNames.list(other, false));
    }
}
