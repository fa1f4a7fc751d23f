package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.Mode;
import io.dualstackd.netlink.sys.NetNs;
import java.util.Optional;

/** Selects the usual program for a mode. */
final class Rivals {
    private Rivals() {}

    /**
     * Returns the program; empty when it is not installed.
     *
     * @param loaded a namespace that holds the first load
     * @param own the namespace where the program works
     */
    static Optional<Rival> of(Mode mode, Cluster cluster, NetNs loaded, NetNs own) {
        return switch (mode) {
            case IPTABLES -> IptablesRestore.of(cluster, own);
            case NFTABLES -> NftFile.of(cluster, loaded, own);
        };
    }
}
