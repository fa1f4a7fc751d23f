package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.netns.FreshNetNs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** A kernel before 6.17 has no {@code force_forwarding}. */
    @Test
    void interfacesWithoutASettingDoNotHaveItsValue(@TempDir Path conf) throws Exception {
        for (String name : List.of("all", "eth0", "eth1.100", "lo")) {
            Files.writeString(Files.createDirectory(conf.resolve(name)).resolve("forwarding"), "0\n");
        }
        assertThat(Sysctl.interfaces(conf, "force_forwarding", "1")).isEmpty();
        for (String name : List.of("all", "eth0")) {
            Files.writeString(conf.resolve(name).resolve("force_forwarding"), "0\n");
        }
        Files.writeString(conf.resolve("eth1.100").resolve("force_forwarding"), "1\n");
        assertThat(Sysctl.interfaces(conf, "force_forwarding", "1")).containsExactly("eth1.100");
        assertThat(Sysctl.interfaces(conf, "force_forwarding", "0")).containsExactly("all", "eth0");
    }

    @Test
    void interfacesAreThoseOfTheNamespace() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                RouteClient kernel = RouteClient.open(ns)) {
            kernel.addVeth("eth0", "far");
            Sysctl.write(ns, "net/ipv4/conf/all/forwarding", "0");
            Sysctl.write(ns, "net/ipv4/conf/far/forwarding", "1");
            assertThat(Sysctl.interfaces(ns, "net/ipv4/conf", "forwarding", "1"))
                    .containsExactly("far");
        }
    }
}
