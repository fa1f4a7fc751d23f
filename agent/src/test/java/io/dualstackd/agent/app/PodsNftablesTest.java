package io.dualstackd.agent.app;

import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.dataplane.model.ProxyMode;

@RealRuntime
final class PodsNftablesTest extends PodsOnNodeContract {
    PodsNftablesTest() {
        super(ProxyMode.NFTABLES);
    }
}
