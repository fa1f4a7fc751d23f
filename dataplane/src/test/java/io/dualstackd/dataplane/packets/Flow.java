package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;

/**
 * One kind of connection and what must become of it.
 *
 * @param what the destination in words
 * @param iptables expected in iptables mode
 * @param nftables expected in nftables mode
 * @param ipvs expected in IPVS mode
 */
public record Flow(
        Sender from,
        String what,
        Ip destination,
        int port,
        Proto protocol,
        Expected iptables,
        Expected nftables,
        Expected ipvs) {

    public Expected expected(ProxyMode mode) {
        return switch (mode) {
            case IPTABLES -> iptables;
            case NFTABLES -> nftables;
            case IPVS -> ipvs;
        };
    }

    @Override
    public String toString() {
        return from + " → " + what + " " + protocol;
    }
}
