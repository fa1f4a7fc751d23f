package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;

/** {@code IPVS_*_ATTR_*} of {@code linux/ip_vs.h}, as far as the values of this package have fields for them. */
final class IpvsAttrs {
    static final Attr.U16 SVC_AF = new Attr.U16(1, "IPVS_SVC_ATTR_AF");
    static final Attr.U16 SVC_PROTOCOL = new Attr.U16(2, "IPVS_SVC_ATTR_PROTOCOL");
    /** Always 16 bytes; an IPv4 address fills the first four. */
    static final Attr.Payload SVC_ADDR = new Attr.Payload(3, "IPVS_SVC_ATTR_ADDR");

    static final Attr.U16be SVC_PORT = new Attr.U16be(4, "IPVS_SVC_ATTR_PORT");
    static final Attr.U32 SVC_FWMARK = new Attr.U32(5, "IPVS_SVC_ATTR_FWMARK");
    static final Attr.Text SVC_SCHED = new Attr.Text(6, "IPVS_SVC_ATTR_SCHED_NAME");
    /** {@code struct ip_vs_flags}: flags, and a mask of those that are set. */
    static final Attr.Payload SVC_FLAGS = new Attr.Payload(7, "IPVS_SVC_ATTR_FLAGS");

    static final Attr.U32 SVC_TIMEOUT = new Attr.U32(8, "IPVS_SVC_ATTR_TIMEOUT");
    /** IPv4: a mask in network order. */
    static final Attr.U32be SVC_NETMASK_4 = new Attr.U32be(9, "IPVS_SVC_ATTR_NETMASK");
    /** IPv6: a length in host order. */
    static final Attr.U32 SVC_NETMASK_6 = new Attr.U32(9, "IPVS_SVC_ATTR_NETMASK");

    static final AttrTable SVC = AttrTable.of(
            "IPVS_SVC_ATTR",
            SVC_AF,
            SVC_PROTOCOL,
            SVC_ADDR,
            SVC_PORT,
            SVC_FWMARK,
            SVC_SCHED,
            SVC_FLAGS,
            SVC_TIMEOUT,
            SVC_NETMASK_4);

    static final Attr.Payload DEST_ADDR = new Attr.Payload(1, "IPVS_DEST_ATTR_ADDR");
    static final Attr.U16be DEST_PORT = new Attr.U16be(2, "IPVS_DEST_ATTR_PORT");
    static final Attr.U32 DEST_FWD = new Attr.U32(3, "IPVS_DEST_ATTR_FWD_METHOD");
    static final Attr.U32 DEST_WEIGHT = new Attr.U32(4, "IPVS_DEST_ATTR_WEIGHT");
    static final Attr.U32 DEST_UPPER = new Attr.U32(5, "IPVS_DEST_ATTR_U_THRESH");
    static final Attr.U32 DEST_LOWER = new Attr.U32(6, "IPVS_DEST_ATTR_L_THRESH");
    static final Attr.U32 DEST_ACTIVE = new Attr.U32(7, "IPVS_DEST_ATTR_ACTIVE_CONNS");
    static final Attr.U32 DEST_INACTIVE = new Attr.U32(8, "IPVS_DEST_ATTR_INACT_CONNS");
    static final Attr.U32 DEST_PERSISTENT = new Attr.U32(9, "IPVS_DEST_ATTR_PERSIST_CONNS");
    /** Kernels before 3.18 do not send it: there it is the virtual server's. */
    static final Attr.U16 DEST_FAMILY = new Attr.U16(11, "IPVS_DEST_ATTR_ADDR_FAMILY");

    static final AttrTable DEST = AttrTable.of(
            "IPVS_DEST_ATTR",
            DEST_ADDR,
            DEST_PORT,
            DEST_FWD,
            DEST_WEIGHT,
            DEST_UPPER,
            DEST_LOWER,
            DEST_ACTIVE,
            DEST_INACTIVE,
            DEST_PERSISTENT,
            DEST_FAMILY);

    static final Attr.Nest SERVICE = new Attr.Nest(1, "IPVS_CMD_ATTR_SERVICE", SVC);
    static final Attr.Nest DESTINATION = new Attr.Nest(2, "IPVS_CMD_ATTR_DEST", DEST);
    static final Attr.U32 TIMEOUT_TCP = new Attr.U32(4, "IPVS_CMD_ATTR_TIMEOUT_TCP");
    static final Attr.U32 TIMEOUT_TCP_FIN = new Attr.U32(5, "IPVS_CMD_ATTR_TIMEOUT_TCP_FIN");
    static final Attr.U32 TIMEOUT_UDP = new Attr.U32(6, "IPVS_CMD_ATTR_TIMEOUT_UDP");
    static final AttrTable COMMAND =
            AttrTable.of("IPVS_CMD_ATTR", SERVICE, DESTINATION, TIMEOUT_TCP, TIMEOUT_TCP_FIN, TIMEOUT_UDP);

    private IpvsAttrs() {}
}
