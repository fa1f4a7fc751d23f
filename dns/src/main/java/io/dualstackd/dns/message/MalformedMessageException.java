package io.dualstackd.dns.message;

/** Thrown for bytes that are not a DNS message. Without a stack trace, because clients can send such bytes at any rate. */
final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedMessageException(String what, int offset) {
        super(what + " at offset " + offset, null, false, false);
    }
}
