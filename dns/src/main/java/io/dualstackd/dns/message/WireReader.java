package io.dualstackd.dns.message;

import java.util.Arrays;

/** A reading position in a message. */
final class WireReader {
    private static final int POINTER = 0xc0;

    private final byte[] bytes;
    private final int end;
    private int at;

    WireReader(byte[] bytes, int end, int at) {
        this.bytes = bytes;
        this.end = end;
        this.at = at;
    }

    int position() {
        return at;
    }

    void moveTo(int position) {
        at = position;
    }

    int u8() throws MalformedMessageException {
        if (at >= end) {
            throw new MalformedMessageException("the message ends early", at);
        }
        return bytes[at++] & 0xff;
    }

    int u16() throws MalformedMessageException {
        return (u8() << 8) | u8();
    }

    long u32() throws MalformedMessageException {
        return ((long) u16() << 16) | u16();
    }

    byte[] take(int length) throws MalformedMessageException {
        skip(length);
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    void skip(int length) throws MalformedMessageException {
        if (length > end - at) {
            throw new MalformedMessageException("the message ends early", at);
        }
        at += length;
    }

    /** Reads a name, which may be compressed: each pointer must point further back than all before, so that the chain ends. */
    DnsName name() throws MalformedMessageException {
        byte[] name = new byte[DnsName.MAX_BYTES];
        int length = 0;
        int read = at;
        int bound = at;
        int behind = -1;
        while (true) {
            int size = byteAt(read);
            if ((size & POINTER) == POINTER) {
                int target = ((size & ~POINTER) << 8) | byteAt(read + 1);
                if (behind < 0) {
                    behind = read + 2;
                }
                if (target >= bound) {
                    throw new MalformedMessageException("a compressed name points forward or in a circle", read);
                }
                bound = target;
                read = target;
            } else if (size > DnsName.MAX_LABEL) {
                throw new MalformedMessageException("a label of an unknown kind", read);
            } else {
                // The zero at the end counts, too.
                int needed = size == 0 ? 1 : size + 2;
                if (length + needed > DnsName.MAX_BYTES) {
                    throw new MalformedMessageException("a name longer than 255 bytes", read);
                }
                if (read + size >= end) {
                    throw new MalformedMessageException("the message ends early", read);
                }
                System.arraycopy(bytes, read, name, length, size + 1);
                length += size + 1;
                read += size + 1;
                if (size == 0) {
                    at = behind < 0 ? read : behind;
                    return DnsName.trusted(Arrays.copyOf(name, length));
                }
            }
        }
    }

    private int byteAt(int index) throws MalformedMessageException {
        if (index >= end) {
            throw new MalformedMessageException("the message ends early", index);
        }
        return bytes[index] & 0xff;
    }
}
