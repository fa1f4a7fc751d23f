package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Drops the packet and sends an error.
 *
 * @param type {@code enum nft_reject_types}: 0 ICMP unreachable, 1 TCP reset, 2 ICMP unreachable in either family
 * @param code the ICMP or ICMPv6 code for type 0, {@code enum nft_reject_inet_code} for type 2, else 0
 */
public record Reject(int type, int code) implements NftExpr {
    /** {@code NFT_REJECT_ICMP_UNREACH}. */
    public static final int ICMP_UNREACHABLE = 0;
    /** {@code NFT_REJECT_TCP_RST}. */
    public static final int TCP_RESET = 1;
    /** {@code NFT_REJECT_ICMPX_UNREACH}. */
    public static final int ICMPX_UNREACHABLE = 2;

    static final String NAME = "reject";
    private static final Attr.U32be TYPE = new Attr.U32be(1, "NFTA_REJECT_TYPE");
    private static final Attr.U8 CODE = new Attr.U8(2, "NFTA_REJECT_ICMP_CODE");
    static final AttrTable TABLE = AttrTable.of("NFTA_REJECT", TYPE, CODE);

    static NftExpr read(Attrs data) throws DecodeException {
        return new Reject(data.get(TYPE), data.get(CODE, 0));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(TYPE, type);
        if (type != TCP_RESET) {
            writer.put(CODE, code);
        }
    }

    @Override
    public String toString() {
        return "[ reject type " + type + " code " + code + " ]";
    }
}
