package io.dualstackd.kubeapi.wire.raw;

/** Thrown when a response of the API server is not of the declared form. The message gives the position and what was expected. */
public final class WireException extends Exception {
    private static final long serialVersionUID = 1;

    public WireException(String message) {
        super(message);
    }

    /** @param position bytes of the response before the mistake, or before the object with the mistake */
    public static WireException at(long position, String rule) {
        return new WireException("byte " + position + " of the answer: " + rule);
    }
}
