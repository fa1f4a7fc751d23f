package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;

final class NativeNftablesMemoryTest extends MemoryContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.NFTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeNftables(lab.node());
    }
}
