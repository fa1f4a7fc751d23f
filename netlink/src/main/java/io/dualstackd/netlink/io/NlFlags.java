package io.dualstackd.netlink.io;

/** {@code NLM_F_*} of {@code linux/netlink.h}: the flags in a message header. The upper ones mean different things per kind of request. */
public final class NlFlags {
    public static final int REQUEST = 0x01;
    public static final int MULTI = 0x02;
    public static final int ACK = 0x04;
    /** Send the notifications that this change causes to the requesting socket, too. */
    public static final int ECHO = 0x08;
    /** In a dump's answer: something changed meanwhile, the list may be inconsistent. */
    public static final int DUMP_INTERRUPTED = 0x10;

    /** In GET requests: all of them. */
    public static final int DUMP = 0x300;

    /** In NEW requests: overwrite an existing one. */
    public static final int REPLACE = 0x100;
    /** In NEW requests: fail with EEXIST if it exists. */
    public static final int EXCLUSIVE = 0x200;
    /** In NEW requests: create it if it does not exist. */
    public static final int CREATE = 0x400;
    /** In NEW requests: put it at the end of the list. */
    public static final int APPEND = 0x800;

    /** In an error: it quotes only the header of the request. */
    static final int CAPPED = 0x100;
    /** In an error: attributes with the kernel's explanation follow. */
    static final int ACK_ATTRIBUTES = 0x200;

    private NlFlags() {}
}
