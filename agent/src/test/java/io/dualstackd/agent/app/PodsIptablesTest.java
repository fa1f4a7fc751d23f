package io.dualstackd.agent.app;

import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@RealRuntime
@Tag("kernel")
final class PodsIptablesTest extends PodsOnNodeContract {
    PodsIptablesTest() {
        super(ProxyMode.IPTABLES);
    }
}
