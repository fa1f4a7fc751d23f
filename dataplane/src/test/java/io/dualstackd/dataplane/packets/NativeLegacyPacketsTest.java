package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;

final class NativeLegacyPacketsTest extends ScenarioFloor {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeLegacy(lab.node());
    }
}
