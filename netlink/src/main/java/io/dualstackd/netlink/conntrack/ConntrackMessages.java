package io.dualstackd.netlink.conntrack;

/** {@code enum cntl_msg_types}, as the types of netlink messages: the subsystem {@code NFNL_SUBSYS_CTNETLINK} in the upper byte. */
public final class ConntrackMessages {
    public static final int NEW = 0x100;
    public static final int GET = 0x101;
    public static final int DELETE = 0x102;
    public static final int GET_STATS = 0x105;

    private ConntrackMessages() {}
}
