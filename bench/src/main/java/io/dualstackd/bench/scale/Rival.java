package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.Mode;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Optional;

/** The usual program for the same work; it reads the text of a change, prepared beforehand, from its standard input. */
interface Rival {
    /** Measures a first load, from the start of the program to its end. */
    Span load() throws Exception;

    /** Measures a change in the same way. */
    Span change(List<ServiceTransition> transitions) throws Exception;

    /**
     * The program for a mode; empty when it is not installed.
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
