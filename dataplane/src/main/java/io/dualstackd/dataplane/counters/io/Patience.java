package io.dualstackd.dataplane.counters.io;

import io.dualstackd.netlink.io.NftClient;

/** How counters are read beside changes. */
enum Patience implements NftClient.Bystander {
    /** Others may change rules meanwhile: what is missed keeps its last value. */
    OF_COUNTS;

    @Override
    public void read(boolean interrupted) {}

    @Override
    public boolean chainsMoved() {
        return false;
    }
}
