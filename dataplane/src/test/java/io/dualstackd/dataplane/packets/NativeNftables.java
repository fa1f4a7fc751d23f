package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;

/** Our own syncers in nftables mode. */
public final class NativeNftables extends NativeSyncers {
    public NativeNftables(NetNs node) {
        super(node);
    }

    @Override
    public ProxyMode mode() {
        return ProxyMode.NFTABLES;
    }

    @Override
    Syncer syncer(IpFamily family, NetlinkKernel.Open open) {
        return NftablesSyncer.of(family, open);
    }
}
