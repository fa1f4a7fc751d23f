package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.netns.FreshNetNs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class SysctlTest {
    @Test
    void readsAllDigits() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            for (String value : new String[] {"64", "7", "128", "255"}) {
                Sysctl.write(ns, "net/ipv4/ip_default_ttl", value);
                assertThat(Sysctl.read(ns, "net/ipv4/ip_default_ttl")).isEqualTo(value);
            }
        }
    }
}
