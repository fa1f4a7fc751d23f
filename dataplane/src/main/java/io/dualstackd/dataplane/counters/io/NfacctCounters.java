package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nfacct.io.NfacctClient;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.xt.XtStruct;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The kernel's objects at which rules of iptables mode count packets. They stay when the rules go, as kube-proxy's do. */
public final class NfacctCounters {
    private final NetlinkSockets sockets;

    /** @param sockets of the namespace with the rules */
    public NfacctCounters(NetlinkSockets sockets) {
        this.sockets = sockets;
    }

    /** Makes the objects and checks that rules of nf_tables can name them; returns why that is not so. */
    public Optional<String> unavailable() {
        try (NfacctClient kernel = NfacctClient.open(sockets)) {
            ensure(kernel);
            return kernel.hasMatch(NftFamily.of(IpFamily.IPV4)) ? Optional.empty() : Optional.of(noMatch());
        } catch (NetlinkException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** As {@link #unavailable()}, for rules of iptables legacy. */
    public Optional<String> unavailableInLegacy(NetNs ns) {
        try (NfacctClient kernel = NfacctClient.open(sockets);
                XtTableClient tables = XtTableClient.open(IpFamily.IPV4, ns)) {
            ensure(kernel);
            return tables.knowsMatch(XtStruct.NFACCT) ? Optional.empty() : Optional.of(noMatch());
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Makes the objects that are missing: a rule that names a missing one is refused. */
    public void ensure() throws NetlinkException {
        try (NfacctClient kernel = NfacctClient.open(sockets)) {
            ensure(kernel);
        }
    }

    private static void ensure(NfacctClient kernel) throws NetlinkException {
        for (PacketCounters counter : PacketCounters.values()) {
            kernel.ensure(counter.object());
        }
    }

    /** The packets counted at each object that there is. */
    public Map<PacketCounters, Long> read() throws NetlinkException {
        Map<PacketCounters, Long> packets = new EnumMap<>(PacketCounters.class);
        try (NfacctClient kernel = NfacctClient.open(sockets)) {
            for (PacketCounters counter : PacketCounters.values()) {
                kernel.packets(counter.object()).ifPresent(counted -> packets.put(counter, counted));
            }
        }
        return packets;
    }

    private static String noMatch() {
        return "the kernel has no match " + XtStruct.NFACCT.name();
    }
}
