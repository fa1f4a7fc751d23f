package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;

/** Our own syncers in iptables mode. */
public final class NativeIptables extends NativeSyncers {
    public NativeIptables(NetNs node) {
        super(node);
    }

    @Override
    public ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    Syncer syncer(IpFamily family, NetlinkKernel.Open open) {
        return IptablesSyncer.of(family, open);
    }
}
