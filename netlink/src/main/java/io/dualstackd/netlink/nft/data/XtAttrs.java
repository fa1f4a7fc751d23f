package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code NFTA_MATCH} and {@code NFTA_TARGET}, which have the same shape ({@code linux/netfilter/nf_tables_compat.h}). */
public final class XtAttrs {
    public static final Attr.Text NAME = new Attr.Text(1, "NFTA_MATCH_NAME");
    public static final Attr.U32be REV = new Attr.U32be(2, "NFTA_MATCH_REV");
    public static final Attr.Payload INFO = new Attr.Payload(3, "NFTA_MATCH_INFO");
    public static final AttrTable TABLE = AttrTable.of("NFTA_MATCH", NAME, REV, INFO);

    private XtAttrs() {}
}
