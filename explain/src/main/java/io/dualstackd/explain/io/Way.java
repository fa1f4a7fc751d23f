package io.dualstackd.explain.io;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;

/**
 * A path of a packet after translation.
 *
 * @param marked whether rules of Services mark it for the masquerade; they masquerade hairpins without that in nftables mode
 * @param returning whether it was sent through {@code lo} and comes back in, as it was changed before
 */
record Way(IpPort to, boolean translated, boolean masqueraded, boolean marked, boolean returning) {
    /** The paths that a packet may take; none when Services reject or drop it. */
    static List<Way> of(ProxyMode mode, Packet packet, PacketFate fate) {
        return switch (fate) {
            case PacketFate.Forwarded(var service, var reason, var hops) ->
                hops.stream()
                        .map(hop -> new Way(
                                hop.to().address(),
                                true,
                                hop.masqueraded(),
                                hop.masqueraded() && (mode == ProxyMode.IPTABLES || !reason.keepsSource()),
                                false))
                        .distinct()
                        .toList();
            case PacketFate.NotOurs() ->
                List.of(new Way(new IpPort(packet.destination(), packet.port()), false, false, false, false));
            case PacketFate.Rejected _, PacketFate.Dropped _ -> List.of();
        };
    }

    Way comingBack() {
        return new Way(to, translated, masqueraded, marked, true);
    }
}
