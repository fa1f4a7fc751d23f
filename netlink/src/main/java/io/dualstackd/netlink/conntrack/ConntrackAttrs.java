package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code CTA_*}, as far as this package has fields for them. */
final class ConntrackAttrs {
    static final Attr.Address V4_SRC = new Attr.Address(1, "CTA_IP_V4_SRC");
    static final Attr.Address V4_DST = new Attr.Address(2, "CTA_IP_V4_DST");
    static final Attr.Address V6_SRC = new Attr.Address(3, "CTA_IP_V6_SRC");
    static final Attr.Address V6_DST = new Attr.Address(4, "CTA_IP_V6_DST");
    static final Attr.Nest IP =
            new Attr.Nest(1, "CTA_TUPLE_IP", AttrTable.of("CTA_IP", V4_SRC, V4_DST, V6_SRC, V6_DST));

    static final Attr.U8 NUMBER = new Attr.U8(1, "CTA_PROTO_NUM");
    static final Attr.U16be SRC_PORT = new Attr.U16be(2, "CTA_PROTO_SRC_PORT");
    static final Attr.U16be DST_PORT = new Attr.U16be(3, "CTA_PROTO_DST_PORT");
    static final Attr.Nest PROTO =
            new Attr.Nest(2, "CTA_TUPLE_PROTO", AttrTable.of("CTA_PROTO", NUMBER, SRC_PORT, DST_PORT));

    static final Attr.U16be TUPLE_ZONE = new Attr.U16be(3, "CTA_TUPLE_ZONE");
    static final AttrTable TUPLE = AttrTable.of("CTA_TUPLE", IP, PROTO, TUPLE_ZONE);

    static final Attr.Nest ORIGINAL = new Attr.Nest(1, "CTA_TUPLE_ORIG", TUPLE);
    static final Attr.Nest REPLY = new Attr.Nest(2, "CTA_TUPLE_REPLY", TUPLE);
    static final Attr.U32be STATUS = new Attr.U32be(3, "CTA_STATUS");
    static final Attr.U32be TIMEOUT = new Attr.U32be(7, "CTA_TIMEOUT");
    static final Attr.U32be ID = new Attr.U32be(12, "CTA_ID");
    static final Attr.U16be ZONE = new Attr.U16be(18, "CTA_ZONE");
    static final AttrTable ENTRY = AttrTable.of("CTA", ORIGINAL, REPLY, STATUS, TIMEOUT, ID, ZONE);

    // Only in requests.
    static final Attr.U32 FILTER_ORIGINAL = new Attr.U32(1, "CTA_FILTER_ORIG_FLAGS");
    static final Attr.Nest FILTER = new Attr.Nest(25, "CTA_FILTER", AttrTable.of("CTA_FILTER", FILTER_ORIGINAL));

    // CTA_FILTER_F_*: which attributes of the tuple are compared. Not in a uapi header, but part of the kernel's
    // interface.
    static final int BY_DESTINATION_IP = 1 << 1;
    static final int BY_PROTO_NUMBER = 1 << 3;
    static final int BY_DESTINATION_PORT = 1 << 5;

    static final Attr.U32be ENTRIES = new Attr.U32be(1, "CTA_STATS_GLOBAL_ENTRIES");
    static final Attr.U32be MAX_ENTRIES = new Attr.U32be(2, "CTA_STATS_GLOBAL_MAX_ENTRIES");
    static final AttrTable STATS = AttrTable.of("CTA_STATS_GLOBAL", ENTRIES, MAX_ENTRIES);

    private ConntrackAttrs() {}
}
