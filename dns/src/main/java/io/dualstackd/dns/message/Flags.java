package io.dualstackd.dns.message;

/** Bits of the second word of a header (RFC 1035, RFC 4035). */
final class Flags {
    static final int RESPONSE = 0x8000;
    static final int OPCODE = 0x7800;
    static final int AUTHORITATIVE = 0x0400;
    static final int TRUNCATED = 0x0200;
    static final int RECURSION_DESIRED = 0x0100;
    static final int RECURSION_AVAILABLE = 0x0080;
    static final int AUTHENTIC_DATA = 0x0020;
    static final int CHECKING_DISABLED = 0x0010;
    static final int CODE = 0x000f;

    /** {@code DO}, in the TTL of an {@code OPT} record. */
    static final int DNSSEC_OK = 0x8000;

    private Flags() {}
}
