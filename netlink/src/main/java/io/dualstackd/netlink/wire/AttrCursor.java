package io.dualstackd.netlink.wire;

import java.nio.charset.StandardCharsets;

/**
 * Walks over attributes in their buffer, one after the other, without copying: for readers of lists with a hundred thousand of them. {@link
 * Attrs} is more convenient where there are few.
 */
public final class AttrCursor {
    /** The deepest supported nesting; rules of nf_tables nest seven deep. */
    private static final int DEEPEST = 16;

    private final byte[] buffer;
    private final int base;
    private final String what;
    private final int[] outerEnds = new int[DEEPEST];
    private final int[] outerNexts = new int[DEEPEST];
    private int depth;
    private int end;
    private int next;
    private int at = -1;
    private int length;

    AttrCursor(byte[] buffer, int from, int end, String what) {
        this.buffer = buffer;
        this.base = from;
        this.next = from;
        this.end = end;
        this.what = what;
    }

    /**
     * Moves to the next attribute, at first to the first one.
     *
     * @return false when there is none
     */
    public boolean advance() throws DecodeException {
        int left = end - next;
        if (left <= 0) {
            return false;
        }
        if (left < Nla.HEADER) {
            throw error("want an attribute header of 4 bytes, got " + left);
        }
        int whole = (short) Nla.SHORT.get(buffer, next) & 0xffff;
        if (whole < Nla.HEADER || whole > left) {
            throw error("attribute length " + whole + " is not in 4.." + left);
        }
        at = next;
        length = whole - Nla.HEADER;
        next = Math.min(end, at + Nla.align(whole));
        return true;
    }

    /** Enters the current attribute; {@link #advance} then finds the first one in it. */
    public void enter() throws DecodeException {
        if (depth == DEEPEST) {
            throw error("attributes nest deeper than " + DEEPEST);
        }
        outerEnds[depth] = end;
        outerNexts[depth++] = next;
        next = at + Nla.HEADER;
        end = next + length;
    }

    /** Leaves the attribute that was entered; {@link #advance} then finds the one after it. */
    public void leave() {
        end = outerEnds[--depth];
        next = outerNexts[depth];
    }

    private DecodeException error(String problem) {
        return DecodeException.at(what, next - base, problem);
    }

    /** The current attribute's number, without flag bits. */
    public int number() {
        return (short) Nla.SHORT.get(buffer, at + 2) & Nla.TYPE_MASK;
    }

    /** Bytes of the current attribute's payload. */
    public int length() {
        return length;
    }

    /** The payload as text, up to its NUL if there is one. */
    public String text() {
        int from = at + Nla.HEADER;
        int to = from;
        while (to < from + length && buffer[to] != 0) {
            to++;
        }
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** The payload as eight bytes in network order. */
    public long u64be() throws DecodeException {
        if (length != Long.BYTES) {
            throw error("want 8 bytes, got " + length);
        }
        return (long) Nla.LONG_BE.get(buffer, at + Nla.HEADER);
    }

    /**
     * Copies the payload to {@code target}, from index {@code to} on; returns the index after it.
     *
     * @throws DecodeException when the payload does not fit into {@code target}
     */
    public int copyTo(byte[] target, int to) throws DecodeException {
        if (length > target.length - to) {
            throw error("want at most " + (target.length - to) + " bytes, got " + length);
        }
        System.arraycopy(buffer, at + Nla.HEADER, target, to, length);
        return to + length;
    }

    /** The payload as four bytes in network order. */
    public int u32be() throws DecodeException {
        if (length != Integer.BYTES) {
            throw error("want 4 bytes, got " + length);
        }
        return (int) Nla.INT_BE.get(buffer, at + Nla.HEADER);
    }

    /** Payload bytes {@code index} to {@code index + 7} as one number, little-endian; bytes past the end count as zero. */
    public long word(int index) {
        int from = at + Nla.HEADER + index;
        int left = length - index;
        if (left >= Long.BYTES) {
            return (long) Nla.LONG_LE.get(buffer, from);
        }
        long word = 0;
        for (int i = 0; i < left; i++) {
            word |= (buffer[from + i] & 0xffL) << (8 * i);
        }
        return word;
    }
}
