package io.dualstackd.netlink.netns;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tests find in their namespaces, whatever the host is like. */
@Tag("kernel")
final class FreshNetNsTest {
    private final String before = System.getProperty("netns.inherit", "");

    @AfterEach
    void asItWas() {
        System.setProperty("netns.inherit", before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hostile"})
    void settingsAreTheKernelsDefaults(String inherited) throws Exception {
        System.setProperty("netns.inherit", inherited);
        try (NetNs ns = FreshNetNs.create()) {
            for (String key : new String[] {
                "net/ipv4/ip_forward",
                "net/ipv4/conf/all/route_localnet",
                "net/ipv4/conf/default/route_localnet",
                "net/ipv4/conf/lo/route_localnet",
                "net/ipv4/conf/all/rp_filter",
                "net/ipv4/conf/default/rp_filter",
                "net/ipv4/conf/default/forwarding",
                "net/ipv6/conf/all/forwarding",
                "net/ipv6/conf/default/forwarding",
                "net/ipv6/conf/lo/forwarding"
            }) {
                assertThat(Sysctl.read(ns, key)).as(key).isEqualTo("0");
            }
            assertThat(Sysctl.read(ns, "net/ipv6/conf/default/accept_ra")).isEqualTo("1");
        }
    }
}
