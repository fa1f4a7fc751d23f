package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@Tag("kernel")
final class NativeIptablesPacketsTest extends ScenarioContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeIptables(lab.node());
    }
}
