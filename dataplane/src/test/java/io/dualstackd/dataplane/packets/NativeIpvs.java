package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ipvs.IpvsSyncer;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.GenericClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsCodec;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Our own syncers in IPVS mode. */
final class NativeIpvs extends NativeSyncers {
    private final NetNs node;

    /** With the settings the daemon gives to its host. */
    NativeIpvs(NetNs node) {
        super(node);
        this.node = node;
        try (GenericClient kernel = GenericClient.open(node)) {
            // Asking has the kernel load the module, and the settings are there.
            if (kernel.family(IpvsCodec.FAMILY).isEmpty()) {
                throw new IllegalStateException("this kernel has no IPVS");
            }
            for (String setting : List.of("conntrack", "expire_nodest_conn", "expire_quiescent_template")) {
                Sysctl.write(node, "net/ipv4/vs/" + setting, "1");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ProxyMode mode() {
        return ProxyMode.IPVS;
    }

    @Override
    Syncer syncer(IpFamily family, NetlinkKernel.Open open) {
        return IpvsSyncer.of(family, open, new Generations(), new RuleSetGate(), node, IpvsSettings.USUAL);
    }
}
