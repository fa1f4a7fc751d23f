package io.dualstackd.bench.measure;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Locale;

/** How the kernel is programmed. */
public enum Mode {
    NFTABLES,
    IPTABLES;

    /** Returns the data plane of one family before its first sync. */
    public Syncer pass(IpFamily family, NetlinkKernel.Open open) {
        return switch (this) {
            case NFTABLES -> NftablesSyncer.of(family, open);
            case IPTABLES -> IptablesSyncer.of(family, open);
        };
    }

    /** The form on the command line: {@code iptables}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
