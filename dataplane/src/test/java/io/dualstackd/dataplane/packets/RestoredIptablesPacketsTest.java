package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@Tag("kernel")
final class RestoredIptablesPacketsTest extends ScenarioContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new RestoredIptables(lab.node());
    }
}
