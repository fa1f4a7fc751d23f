package io.dualstackd.kubeapi.wire.raw;

/** An answer of the API server is not what it says it is. The message says where and what was expected. */
public final class WireException extends Exception {
    private static final long serialVersionUID = 1;

    public WireException(String message) {
        super(message);
    }

    /** @param position bytes of the answer before the mistake, or before the object with the mistake */
    public static WireException at(long position, String rule) {
        return new WireException("byte " + position + " of the answer: " + rule);
    }
}
