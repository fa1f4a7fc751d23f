package io.dualstackd.netlink.wire;

/** Thrown for bytes that do not match the declarations. The text names what was read, the offset in it, the expected and the actual value. */
public final class DecodeException extends Exception {
    private static final long serialVersionUID = 1;

    public DecodeException(String message) {
        super(message);
    }

    static DecodeException at(String what, int offset, String problem) {
        return new DecodeException(what + ": " + problem + ", at offset " + offset);
    }
}
