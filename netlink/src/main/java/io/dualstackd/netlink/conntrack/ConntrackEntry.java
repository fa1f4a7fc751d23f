package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;

/**
 * One tracked connection.
 *
 * @param original its packets as received, before any translation
 * @param reply the packets of the reply direction: their source is the translated destination of the connection
 * @param zone its conntrack zone, 0 to 65535; 0 is the default zone. Equal addresses in two zones are two connections
 * @param id the kernel's id, never reused at once; 0 when not known
 * @param status {@code IPS_*} bits of {@code linux/netfilter/nf_conntrack_common.h}
 * @param timeout seconds until it is removed if no packet is received
 * @param others attributes this record has no field for, as the kernel sent them
 */
public record ConntrackEntry(
        FlowTuple original, FlowTuple reply, int zone, int id, int status, int timeout, List<RawAttr> others) {
    /** {@code IPS_SEEN_REPLY}. */
    public static final int SEEN_REPLY = 1 << 1;
    /** {@code IPS_ASSURED}: not evicted early when the table is full. */
    public static final int ASSURED = 1 << 2;
    /** {@code IPS_CONFIRMED}. */
    public static final int CONFIRMED = 1 << 3;
    /** {@code IPS_DST_NAT}: its destination is translated. */
    public static final int DST_NAT = 1 << 5;

    public ConntrackEntry {
        if (original.family() != reply.family()) {
            throw new IllegalArgumentException(original + " and " + reply + " are of different families");
        }
        if (zone < 0 || zone > 65535) {
            throw new IllegalArgumentException("zone " + zone + " is not in 0..65535");
        }
        others = List.copyOf(others);
    }

    /** Returns an entry to be added. */
    public static ConntrackEntry of(FlowTuple original, FlowTuple reply, int timeout) {
        return new ConntrackEntry(original, reply, 0, 0, CONFIRMED, timeout, List.of());
    }

    public IpFamily family() {
        return original.family();
    }

    public static ConntrackEntry read(NlMessage message) throws DecodeException {
        NlReader body = message.body("IPCTNL_MSG_CT_NEW");
        IpFamily family = family(body);
        Attrs attrs = body.attrs(ConntrackAttrs.ENTRY);
        return new ConntrackEntry(
                FlowTuple.read(attrs.get(ConntrackAttrs.ORIGINAL), family),
                FlowTuple.read(attrs.get(ConntrackAttrs.REPLY), family),
                attrs.get(ConntrackAttrs.ZONE, 0),
                attrs.get(ConntrackAttrs.ID, 0),
                attrs.get(ConntrackAttrs.STATUS, 0),
                attrs.get(ConntrackAttrs.TIMEOUT, 0),
                attrs.unknown());
    }

    static IpFamily family(NlReader body) throws DecodeException {
        NftFamily family = NfHeader.read(body).family();
        if (family.equals(NftFamily.IP)) {
            return IpFamily.IPV4;
        }
        if (family.equals(NftFamily.IP6)) {
            return IpFamily.IPV6;
        }
        throw body.error("want family ip or ip6, got " + family);
    }

    /** The body of a {@code IPCTNL_MSG_CT_NEW}. */
    public void writeTo(NlWriter writer) {
        writeNames(writer);
        reply.writeTo(writer, ConntrackAttrs.REPLY);
        writer.put(ConntrackAttrs.STATUS, status);
        writer.put(ConntrackAttrs.TIMEOUT, timeout);
        others.forEach(writer::put);
    }

    /**
     * The body of a {@code IPCTNL_MSG_CT_DELETE} for exactly this connection: the id prevents it from deleting a newer one with the same
     * addresses and ports.
     */
    public void writeNames(NlWriter writer) {
        NfHeader.write(writer, NftFamily.of(family()));
        original.writeTo(writer, ConntrackAttrs.ORIGINAL);
        if (zone != 0) {
            writer.put(ConntrackAttrs.ZONE, zone);
        }
        if (id != 0) {
            writer.put(ConntrackAttrs.ID, id);
        }
    }

    /** {@code udp 10.0.0.1:1234 -> 10.96.0.10:53, answers 10.1.0.5:53 -> 10.0.0.1:1234, zone 7}. */
    @Override
    public String toString() {
        return original + ", answers " + reply.source() + " -> " + reply.destination()
                + (zone == 0 ? "" : ", zone " + zone);
    }
}
