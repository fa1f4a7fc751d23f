package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Rewrites the destination to this machine.
 *
 * @param flags {@code NF_NAT_RANGE_*} of {@code linux/netfilter/nf_nat.h} without the bit for ports, 0 for none
 * @param portMin register of the lowest port, 0 to keep the port
 */
public record Redir(int flags, int portMin, int portMax) implements NftExpr {
    static final String NAME = "redir";
    private static final int PROTO_SPECIFIED = 2;
    private static final Attr.U32be FLAGS = new Attr.U32be(3, "NFTA_REDIR_FLAGS");
    private static final Attr.U32be PROTO_MIN = new Attr.U32be(1, "NFTA_REDIR_REG_PROTO_MIN");
    private static final Attr.U32be PROTO_MAX = new Attr.U32be(2, "NFTA_REDIR_REG_PROTO_MAX");
    static final AttrTable TABLE = AttrTable.of("NFTA_REDIR", FLAGS, PROTO_MIN, PROTO_MAX);

    static NftExpr read(Attrs data) throws DecodeException {
        int portMin = data.get(PROTO_MIN, 0);
        return new Redir(data.get(FLAGS, 0) & ~PROTO_SPECIFIED, portMin, data.get(PROTO_MAX, portMin));
    }

    @Override
    public void writeData(NlWriter writer) {
        if (portMin != 0) {
            writer.put(PROTO_MIN, portMin);
            writer.put(PROTO_MAX, portMax);
        }
        int all = allFlags();
        if (all != 0) {
            writer.put(FLAGS, all);
        }
    }

    @Override
    public String toString() {
        int all = allFlags();
        return "[ redir"
                + (portMin == 0 ? "" : " proto_min reg " + portMin + " proto_max reg " + portMax)
                + (all == 0 ? "" : " flags 0x" + Integer.toHexString(all)) + " ]";
    }

    private int allFlags() {
        return flags | (portMin != 0 ? PROTO_SPECIFIED : 0);
    }
}
