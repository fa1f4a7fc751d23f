package io.dualstackd.explain.io;

import io.dualstackd.dataplane.packets.DataplaneUnderTest;
import io.dualstackd.dataplane.packets.NativeIptables;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.api.Tag;

/** The flow matrix, traced in mode iptables. */
@Tag("kernel")
final class IptablesTraceMatrixTest extends TraceMatrixContract {
    @Override
    DataplaneUnderTest dataplane(NetNs node) throws Exception {
        return new NativeIptables(node);
    }
}
