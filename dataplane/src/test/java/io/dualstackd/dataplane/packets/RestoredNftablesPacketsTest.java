package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

/** What {@code nft} prints of our table loads elsewhere, and does the same there. */
@Tag("kernel")
final class RestoredNftablesPacketsTest extends ScenarioContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.NFTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) throws Exception {
        return RestoredNftables.on(lab.node());
    }
}
