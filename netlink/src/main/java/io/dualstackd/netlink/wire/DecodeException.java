package io.dualstackd.netlink.wire;

/** Bytes that are not what the declarations say. The text names what was read, the offset in it, what was wanted and what was there. */
public final class DecodeException extends Exception {
    private static final long serialVersionUID = 1;

    public DecodeException(String message) {
        super(message);
    }

    static DecodeException at(String what, int offset, String problem) {
        return new DecodeException(what + ": " + problem + ", at offset " + offset);
    }
}
