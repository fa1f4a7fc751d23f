package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The first packet of a connection on one of its possible paths through a table.
 *
 * @param probability of this path, above 0, up to 1
 * @param device the interface it came in through, empty while it has not
 * @param to its current destination
 * @param mark the packet mark
 * @param translated the destination rules translated it to, if any
 * @param remembered sets its source was added to
 * @param trail the elements it has met
 */
record WalkingPacket(
        double probability,
        Packet packet,
        String device,
        IpPort to,
        int mark,
        Optional<IpPort> translated,
        boolean masqueraded,
        Set<String> remembered,
        Trail trail) {
    private static final int INTERFACE_NAME = 16;

    static WalkingPacket of(Packet packet) {
        return new WalkingPacket(
                1,
                packet,
                packet.origin() instanceof Packet.Origin.Interface(String name) ? name : "",
                new IpPort(packet.destination(), packet.port()),
                0,
                Optional.empty(),
                false,
                Set.of(),
                Trail.START);
    }

    WalkingPacket oneOf(int many) {
        return withProbability(probability / many);
    }

    WalkingPacket withProbability(double newProbability) {
        return new WalkingPacket(newProbability, packet, device, to, mark, translated, masqueraded, remembered, trail);
    }

    WalkingPacket marked(int newMark) {
        return new WalkingPacket(probability, packet, device, to, newMark, translated, masqueraded, remembered, trail);
    }

    WalkingPacket sentTo(IpPort newTo) {
        return new WalkingPacket(
                probability, packet, device, newTo, mark, Optional.of(newTo), masqueraded, remembered, trail);
    }

    WalkingPacket masquerade() {
        return new WalkingPacket(probability, packet, device, to, mark, translated, true, remembered, trail);
    }

    WalkingPacket rememberedIn(String set) {
        Set<String> more = new TreeSet<>(remembered);
        more.add(set);
        return new WalkingPacket(probability, packet, device, to, mark, translated, masqueraded, more, trail);
    }

    WalkingPacket met(Optional<Trail.Step> step) {
        Trail longer = trail.with(step);
        return new WalkingPacket(probability, packet, device, to, mark, translated, masqueraded, remembered, longer);
    }

    /** The packet as it comes back in when the node sent it to itself. */
    WalkingPacket looped() {
        return new WalkingPacket(probability, packet, "lo", to, mark, translated, masqueraded, remembered, trail);
    }

    Ip source() {
        return packet.source();
    }

    /** Loads a header field, of which only addresses and the destination port are known. */
    Bytes load(Payload field) {
        byte[] header = field.base() == PayloadBase.TRANSPORT ? transport() : network();
        return Bytes.of(header, field.offset(), field.offset() + field.length());
    }

    private byte[] network() {
        boolean four = source().family() == IpFamily.IPV4;
        byte[] header = new byte[four ? 20 : 40];
        int length = source().family().bytes();
        System.arraycopy(source().toBytes(), 0, header, four ? 12 : 8, length);
        System.arraycopy(to.ip().toBytes(), 0, header, four ? 16 : 24, length);
        return header;
    }

    private byte[] transport() {
        return new byte[] {0, 0, (byte) (to.port() >> 8), (byte) to.port()};
    }

    Bytes load(MetaKey key) {
        if (key.equals(MetaKey.L4PROTO)) {
            return Bytes.u8(packet.protocol().number());
        }
        if (key.equals(MetaKey.MARK)) {
            return Bytes.u32(mark);
        }
        if (key.equals(MetaKey.IIFNAME)) {
            return Bytes.utf8(device).padTo(INTERFACE_NAME);
        }
        throw new IllegalStateException("no rule of ours asks for meta " + key);
    }
}
