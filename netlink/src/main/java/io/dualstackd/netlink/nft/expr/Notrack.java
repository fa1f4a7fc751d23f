package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.NlWriter;

/** Exempts the packet from connection tracking. */
public record Notrack() implements NftExpr {
    static final String NAME = "notrack";

    @Override
    public void writeData(NlWriter writer) {
        // The kernel has no attribute for it, not even an empty nest.
    }

    @Override
    public String toString() {
        return "[ notrack ]";
    }
}
