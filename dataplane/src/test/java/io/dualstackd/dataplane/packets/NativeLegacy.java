package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.time.Duration;

/** Our own syncers in iptables mode, on a host with iptables legacy. */
final class NativeLegacy extends NativeSyncers {
    private final NetNs node;
    private final XtablesLock lock = new XtablesLock(Path.of("target/packets-xtables.lock"), Duration.ofSeconds(20));

    NativeLegacy(NetNs node) {
        super(node);
        this.node = node;
    }

    @Override
    public ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    Syncer syncer(IpFamily family, NetlinkKernel.Open open) {
        return IptablesSyncer.ofLegacy(family, () -> XtTableClient.open(family, node), lock);
    }
}
