package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code NFTA_META}: the attributes shared by {@link Meta} and {@link MetaSet}. */
public final class MetaAttrs {
    public static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_META_DREG");
    public static final Attr.U32be KEY = new Attr.U32be(2, "NFTA_META_KEY");
    public static final Attr.U32be SREG = new Attr.U32be(3, "NFTA_META_SREG");
    public static final AttrTable TABLE = AttrTable.of("NFTA_META", DREG, KEY, SREG);

    private MetaAttrs() {}
}
