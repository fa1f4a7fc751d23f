package io.dualstackd.agent.e2e;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.Locale;

/** How rules are written, and how an admin reads them. */
enum ListedMode {
    IPTABLES {
        @Override
        Listing listing(HostUnderTest host, IpFamily family) throws Exception {
            return host.listing(family);
        }
    },
    NFTABLES {
        @Override
        Listing listing(HostUnderTest host, IpFamily family) throws Exception {
            return NftListing.parse(
                    host.commands().run("nft", "-s", "list", "ruleset", family == IpFamily.IPV4 ? "ip" : "ip6"));
        }
    };

    /** What the kernel holds now. */
    abstract Listing listing(HostUnderTest host, IpFamily family) throws Exception;

    RunningDaemon start(HostUnderTest host) throws Exception {
        return host.start("--proxy-mode", flag());
    }

    String flag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
