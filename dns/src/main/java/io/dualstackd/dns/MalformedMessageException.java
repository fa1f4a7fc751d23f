package io.dualstackd.dns;

/** Bytes that are no DNS message. Without a stack trace: anyone can send such bytes, as fast as they like. */
final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedMessageException(String what, int offset) {
        super(what + " at offset " + offset, null, false, false);
    }
}
