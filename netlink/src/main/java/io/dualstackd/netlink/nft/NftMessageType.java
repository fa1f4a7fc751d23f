package io.dualstackd.netlink.nft;

/** {@code enum nf_tables_msg_types}, as the types of netlink messages: the subsystem in the upper byte. */
public final class NftMessageType {
    /** {@code NFNL_SUBSYS_NFTABLES}. */
    public static final int SUBSYSTEM = 10;

    public static final int NEW_TABLE = type(0);
    public static final int GET_TABLE = type(1);
    public static final int DELETE_TABLE = type(2);
    public static final int NEW_CHAIN = type(3);
    public static final int GET_CHAIN = type(4);
    public static final int DELETE_CHAIN = type(5);
    public static final int NEW_RULE = type(6);
    public static final int GET_RULE = type(7);
    public static final int DELETE_RULE = type(8);
    public static final int NEW_SET = type(9);
    public static final int GET_SET = type(10);
    public static final int DELETE_SET = type(11);
    public static final int NEW_ELEMENT = type(12);
    public static final int GET_ELEMENT = type(13);
    public static final int DELETE_ELEMENT = type(14);
    public static final int NEW_GENERATION = type(15);
    public static final int GET_GENERATION = type(16);
    /** A step of a traced packet. */
    public static final int TRACE = type(17);
    /** Deletes objects that may be missing; kernel 6.3 and later. */
    public static final int DESTROY_CHAIN = type(27);

    public static final int DESTROY_RULE = type(28);
    public static final int DESTROY_SET = type(29);
    public static final int DESTROY_ELEMENT = type(30);

    /** {@code NFNL_MSG_BATCH_BEGIN}. */
    static final int BATCH_BEGIN = 0x10;
    /** {@code NFNL_MSG_BATCH_END}. */
    static final int BATCH_END = 0x11;

    private NftMessageType() {}

    private static int type(int message) {
        return SUBSYSTEM << 8 | message;
    }
}
