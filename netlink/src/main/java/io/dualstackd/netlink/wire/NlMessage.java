package io.dualstackd.netlink.wire;

import java.util.ArrayList;
import java.util.List;

/** One received netlink message: the fields of the header and the position of the body in a copy of the receive buffer. */
public final class NlMessage {
    /** {@code NLMSG_NOOP}. */
    public static final int NOOP = 1;
    /** {@code NLMSG_ERROR}: an error, or with code 0 an acknowledgement. */
    public static final int ERROR = 2;
    /** {@code NLMSG_DONE}: the end of a dump. */
    public static final int DONE = 3;
    /** {@code NLMSG_OVERRUN}. */
    public static final int OVERRUN = 4;

    private final byte[] buffer;
    private final int from;
    private final int length;

    NlMessage(byte[] buffer, int from, int length) {
        this.buffer = buffer;
        this.from = from;
        this.length = length;
    }

    /**
     * Splits the bytes returned by one receive. The messages share {@code buffer}, which must not change while they are used.
     *
     * @throws DecodeException when a header is truncated or a length does not fit
     */
    public static List<NlMessage> split(byte[] buffer, int end) throws DecodeException {
        List<NlMessage> messages = new ArrayList<>();
        int next = 0;
        while (end - next > 0) {
            if (end - next < Nla.MESSAGE_HEADER) {
                throw DecodeException.at("netlink datagram", next, "want a header of 16 bytes, got " + (end - next));
            }
            int length = (int) Nla.INT.get(buffer, next);
            if (length < Nla.MESSAGE_HEADER || length > end - next) {
                throw DecodeException.at(
                        "netlink datagram", next, "message length " + length + " is not in 16.." + (end - next));
            }
            messages.add(new NlMessage(buffer, next, length));
            next = Math.min(end, next + Nla.align(length));
        }
        return messages;
    }

    /** Bytes of header and body. */
    public int length() {
        return length;
    }

    public int type() {
        return (short) Nla.SHORT.get(buffer, from + 4) & 0xffff;
    }

    public int flags() {
        return (short) Nla.SHORT.get(buffer, from + 6) & 0xffff;
    }

    public int sequence() {
        return (int) Nla.INT.get(buffer, from + 8);
    }

    public int portId() {
        return (int) Nla.INT.get(buffer, from + 12);
    }

    /** Returns a reader of the body; {@code what} names the message in errors. */
    public NlReader body(String what) {
        return new NlReader(buffer, from + Nla.MESSAGE_HEADER, length - Nla.MESSAGE_HEADER, what);
    }

    /** Copies header and body. */
    public Bytes toBytes() {
        return Bytes.of(buffer, from, from + length);
    }

    @Override
    public String toString() {
        return "NlMessage[type=" + type() + ", flags=0x" + Integer.toHexString(flags()) + ", sequence=" + sequence()
                + ", length=" + length + "]";
    }
}
