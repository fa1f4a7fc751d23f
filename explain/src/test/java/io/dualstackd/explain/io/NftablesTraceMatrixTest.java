package io.dualstackd.explain.io;

import io.dualstackd.dataplane.packets.DataplaneUnderTest;
import io.dualstackd.dataplane.packets.NativeNftables;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.api.Tag;

/** The flow matrix, traced in mode nftables. */
@Tag("kernel")
final class NftablesTraceMatrixTest extends TraceMatrixContract {
    @Override
    DataplaneUnderTest dataplane(NetNs node) throws Exception {
        return new NativeNftables(node);
    }
}
