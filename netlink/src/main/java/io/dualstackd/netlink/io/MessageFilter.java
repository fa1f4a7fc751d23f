package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.DecodeException;
import java.nio.ByteBuffer;

/** Selects messages in the receive buffer, before they are decoded. */
@FunctionalInterface
public interface MessageFilter {
    int HEADER = 16;

    /** @param length of header and body */
    boolean keeps(ByteBuffer datagram, int offset, int length);

    /**
     * Moves the kept messages of a datagram to its front.
     *
     * @return the bytes kept
     */
    default int apply(ByteBuffer datagram, int end) throws DecodeException {
        int kept = 0;
        int next = 0;
        while (next < end) {
            int length = end - next < HEADER ? 0 : datagram.getInt(next);
            if (length < HEADER || length > end - next) {
                throw new DecodeException(
                        "netlink datagram: message length " + length + " at " + next + " of " + end + " bytes");
            }
            int padded = Math.min(end - next, (length + 3) & ~3);
            if (keeps(datagram, next, length)) {
                datagram.put(kept, datagram, next, padded);
                kept += padded;
            }
            next += padded;
        }
        return kept;
    }
}
