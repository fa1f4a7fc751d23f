package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Ct;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code NFTA_CT}: the attributes shared by {@link Ct} and {@link Ct.Set}. */
public final class CtAttrs {
    public static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_CT_DREG");
    public static final Attr.U32be KEY = new Attr.U32be(2, "NFTA_CT_KEY");
    public static final Attr.U8 DIRECTION = new Attr.U8(3, "NFTA_CT_DIRECTION");
    public static final Attr.U32be SREG = new Attr.U32be(4, "NFTA_CT_SREG");
    public static final AttrTable TABLE = AttrTable.of("NFTA_CT", DREG, KEY, DIRECTION, SREG);

    private CtAttrs() {}
}
