package io.dualstackd.agent.app;

import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@RealRuntime
@Tag("kernel")
final class PodsNftablesTest extends PodsOnNodeContract {
    PodsNftablesTest() {
        super(ProxyMode.NFTABLES);
    }
}
