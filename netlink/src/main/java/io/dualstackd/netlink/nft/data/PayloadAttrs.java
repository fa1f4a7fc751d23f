package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.expr.PayloadWrite;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code NFTA_PAYLOAD}: the attributes shared by {@link Payload} and {@link PayloadWrite}. */
public final class PayloadAttrs {
    public static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_PAYLOAD_DREG");
    public static final Attr.U32be BASE = new Attr.U32be(2, "NFTA_PAYLOAD_BASE");
    public static final Attr.U32be OFFSET = new Attr.U32be(3, "NFTA_PAYLOAD_OFFSET");
    public static final Attr.U32be LEN = new Attr.U32be(4, "NFTA_PAYLOAD_LEN");
    public static final Attr.U32be SREG = new Attr.U32be(5, "NFTA_PAYLOAD_SREG");
    public static final Attr.U32be CSUM_TYPE = new Attr.U32be(6, "NFTA_PAYLOAD_CSUM_TYPE");
    public static final Attr.U32be CSUM_OFFSET = new Attr.U32be(7, "NFTA_PAYLOAD_CSUM_OFFSET");
    public static final Attr.U32be CSUM_FLAGS = new Attr.U32be(8, "NFTA_PAYLOAD_CSUM_FLAGS");
    public static final AttrTable TABLE =
            AttrTable.of("NFTA_PAYLOAD", DREG, BASE, OFFSET, LEN, SREG, CSUM_TYPE, CSUM_OFFSET, CSUM_FLAGS);

    private PayloadAttrs() {}
}
