package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code IFLA_*} of {@code linux/if_link.h}, as far as {@link Link} has fields for them. */
final class LinkAttrs {
    static final Attr.Payload ADDRESS = new Attr.Payload(1, "IFLA_ADDRESS");
    static final Attr.Text IFNAME = new Attr.Text(3, "IFLA_IFNAME");
    static final Attr.U32 MTU = new Attr.U32(4, "IFLA_MTU");
    static final Attr.U32 LINK = new Attr.U32(5, "IFLA_LINK");
    static final Attr.U32 MASTER = new Attr.U32(10, "IFLA_MASTER");
    static final Attr.U8 OPERSTATE = new Attr.U8(16, "IFLA_OPERSTATE");
    // Not a Nest: the kernel writes it without NLA_F_NESTED, and so does the codec.
    static final Attr.Payload LINKINFO = new Attr.Payload(18, "IFLA_LINKINFO");
    static final AttrTable TABLE = AttrTable.of("IFLA", ADDRESS, IFNAME, MTU, LINK, MASTER, OPERSTATE, LINKINFO);

    // Only in requests.
    static final Attr.U32 NET_NS_FD = new Attr.U32(28, "IFLA_NET_NS_FD");
    static final Attr.U32 EXT_MASK = new Attr.U32(29, "IFLA_EXT_MASK");

    static final Attr.Text INFO_KIND = new Attr.Text(1, "IFLA_INFO_KIND");
    static final Attr.Payload INFO_DATA = new Attr.Payload(2, "IFLA_INFO_DATA");
    static final AttrTable INFO = AttrTable.of("IFLA_INFO", INFO_KIND, INFO_DATA);

    static final Attr.Payload VETH_PEER = new Attr.Payload(1, "VETH_INFO_PEER");
    static final AttrTable VETH = AttrTable.of("VETH_INFO", VETH_PEER);
    static final AttrTable PEER = AttrTable.of("IFLA of VETH_INFO_PEER", IFNAME, NET_NS_FD);

    private LinkAttrs() {}
}
