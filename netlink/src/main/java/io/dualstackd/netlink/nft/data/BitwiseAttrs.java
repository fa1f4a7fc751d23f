package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Shift;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code NFTA_BITWISE}: the attributes shared by {@link Bitwise} and {@link Shift}. */
public final class BitwiseAttrs {
    public static final Attr.U32be SREG = new Attr.U32be(1, "NFTA_BITWISE_SREG");
    public static final Attr.U32be DREG = new Attr.U32be(2, "NFTA_BITWISE_DREG");
    public static final Attr.U32be LEN = new Attr.U32be(3, "NFTA_BITWISE_LEN");
    public static final Attr.Nest MASK = new Attr.Nest(4, "NFTA_BITWISE_MASK", Data.TABLE);
    public static final Attr.Nest XOR = new Attr.Nest(5, "NFTA_BITWISE_XOR", Data.TABLE);
    public static final Attr.U32be OP = new Attr.U32be(6, "NFTA_BITWISE_OP");
    public static final Attr.Nest DATA = new Attr.Nest(7, "NFTA_BITWISE_DATA", Data.TABLE);
    public static final AttrTable TABLE = AttrTable.of("NFTA_BITWISE", SREG, DREG, LEN, MASK, XOR, OP, DATA);

    private BitwiseAttrs() {}
}
