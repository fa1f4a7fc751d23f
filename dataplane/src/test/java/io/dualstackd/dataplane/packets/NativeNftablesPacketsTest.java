package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@Tag("kernel")
final class NativeNftablesPacketsTest extends ScenarioContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.NFTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeNftables(lab.node());
    }
}
