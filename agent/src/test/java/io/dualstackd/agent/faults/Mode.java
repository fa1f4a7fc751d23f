package io.dualstackd.agent.faults;

import io.dualstackd.netlink.netns.NetNsCommands;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** How rules are written, and how they are read without the daemon. */
enum Mode {
    NFTABLES {
        @Override
        Map<Destination, Set<String>> read(NetNsCommands commands, boolean ipv6) throws Exception {
            String family = ipv6 ? "ip6" : "ip";
            String listed =
                    commands.run("sh", "-c", "timeout 20 nft -s list table " + family + " dualstackd 2>&1 || true");
            return NftablesReading.of(listed, ipv6 ? Destination.FRAME6 : Destination.FRAME4);
        }
    },
    IPTABLES {
        @Override
        Map<Destination, Set<String>> read(NetNsCommands commands, boolean ipv6) throws Exception {
            String saved = commands.run("timeout", "20", ipv6 ? "ip6tables-save" : "iptables-save");
            return IptablesReading.of(saved, ipv6 ? Destination.FRAME6 : Destination.FRAME4);
        }
    };

    /** What the kernel does with each cluster IP now. */
    abstract Map<Destination, Set<String>> read(NetNsCommands commands, boolean ipv6) throws Exception;

    String flag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
