package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites source or destination from registers.
 *
 * @param source true for SNAT, false for DNAT
 * @param family {@code NFPROTO_IPV4} (2) or {@code NFPROTO_IPV6} (10) of the addresses
 * @param addressMin register, 0 for none; likewise the other three
 * @param flags {@code NF_NAT_RANGE_*} of {@code linux/netfilter/nf_nat.h}, without the bits for addresses and ports, which the kernel sets
 */
public record Nat(boolean source, int family, int addressMin, int addressMax, int portMin, int portMax, int flags)
        implements NftExpr {
    static final String NAME = "nat";
    private static final int MAP_IPS = 1;
    private static final int PROTO_SPECIFIED = 2;
    private static final Attr.U32be TYPE = new Attr.U32be(1, "NFTA_NAT_TYPE");
    private static final Attr.U32be FAMILY = new Attr.U32be(2, "NFTA_NAT_FAMILY");
    private static final Attr.U32be ADDR_MIN = new Attr.U32be(3, "NFTA_NAT_REG_ADDR_MIN");
    private static final Attr.U32be ADDR_MAX = new Attr.U32be(4, "NFTA_NAT_REG_ADDR_MAX");
    private static final Attr.U32be PROTO_MIN = new Attr.U32be(5, "NFTA_NAT_REG_PROTO_MIN");
    private static final Attr.U32be PROTO_MAX = new Attr.U32be(6, "NFTA_NAT_REG_PROTO_MAX");
    private static final Attr.U32be FLAGS = new Attr.U32be(7, "NFTA_NAT_FLAGS");
    static final AttrTable TABLE =
            AttrTable.of("NFTA_NAT", TYPE, FAMILY, ADDR_MIN, ADDR_MAX, PROTO_MIN, PROTO_MAX, FLAGS);

    /** DNAT to the address in one register and the port in another; 0 for no port. */
    public static Nat destination(IpFamily family, int address, int port) {
        return new Nat(false, family.number(), address, address, port, port, 0);
    }

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int type = data.get(TYPE);
        int addressMin = data.get(ADDR_MIN, 0);
        int portMin = data.get(PROTO_MIN, 0);
        return type != 0 && type != 1
                ? null
                : new Nat(
                        type == 0,
                        data.get(FAMILY),
                        addressMin,
                        data.get(ADDR_MAX, addressMin),
                        portMin,
                        data.get(PROTO_MAX, portMin),
                        data.get(FLAGS, 0) & ~(MAP_IPS | PROTO_SPECIFIED));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(TYPE, source ? 0 : 1);
        writer.put(FAMILY, family);
        if (addressMin != 0) {
            writer.put(ADDR_MIN, addressMin);
            writer.put(ADDR_MAX, addressMax);
        }
        if (portMin != 0) {
            writer.put(PROTO_MIN, portMin);
            writer.put(PROTO_MAX, portMax);
        }
        int all = allFlags();
        if (all != 0) {
            writer.put(FLAGS, all);
        }
    }

    private int allFlags() {
        return flags | (addressMin != 0 ? MAP_IPS : 0) | (portMin != 0 ? PROTO_SPECIFIED : 0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[ nat ").append(source ? "snat " : "dnat ");
        text.append(family == IpFamily.IPV4.number() ? "ip" : family == IpFamily.IPV6.number() ? "ip6" : "" + family);
        if (addressMin != 0) {
            text.append(" addr_min reg ")
                    .append(addressMin)
                    .append(" addr_max reg ")
                    .append(addressMax);
        }
        if (portMin != 0) {
            text.append(" proto_min reg ")
                    .append(portMin)
                    .append(" proto_max reg ")
                    .append(portMax);
        }
        int all = allFlags();
        return text.append(all == 0 ? "" : " flags 0x" + Integer.toHexString(all))
                .append(" ]")
                .toString();
    }
}
