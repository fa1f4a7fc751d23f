package io.dualstackd.agent.app;

import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.dataplane.model.ProxyMode;

@RealRuntime
final class PodsIptablesTest extends PodsOnNodeContract {
    PodsIptablesTest() {
        super(ProxyMode.IPTABLES);
    }
}
