package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.Mode;
import io.dualstackd.netlink.sys.NetNs;
import java.util.Optional;

/** Which program is the usual one. */
final class Rivals {
    private Rivals() {}

    /**
     * Nothing where it is not installed.
     *
     * @param loaded a namespace that holds the first load
     * @param own where the program works
     */
    static Optional<Rival> of(Mode mode, Cluster cluster, NetNs loaded, NetNs own) {
        return switch (mode) {
            case IPTABLES -> IptablesRestore.of(cluster, own);
            case NFTABLES -> NftFile.of(cluster, loaded, own);
        };
    }
}
