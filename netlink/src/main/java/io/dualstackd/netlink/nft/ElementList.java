package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.userdata.UserData;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoded elements of one set, for callers that write a hundred thousand of them: no object is created for an element. Split into lists
 * that fit into a message. Not safe for use by several threads.
 *
 * <p>An element is written with {@link #begin}, its parts, {@link #end}.
 */
public final class ElementList {
    /** A list is closed at this size: the attribute ends at 65,535 bytes, and an element takes less than the rest. */
    static final int FULL = 60_000;

    private static final int FIRST_ROOM = 512;
    private static final int HEADER = 4;
    private static final int COMMENT_HEADER = 2;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int NESTED = 0x8000;
    private static final int LIST_ELEMENT = 1;
    private static final int KEY = 1;
    private static final int DATA = 2;
    private static final int USERDATA = 6;
    private static final int EXPR = 7;
    private static final int KEY_END = 10;
    private static final int DATA_VALUE = 1;
    private static final int EXPR_NAME = 1;
    private static final int EXPR_DATA = 2;
    private static final int COUNTER_BYTES = 1;
    private static final int COUNTER_PACKETS = 2;
    /** With the NUL at its end. */
    private static final byte[] COUNTER = "counter\0".getBytes(StandardCharsets.US_ASCII);

    private final List<Piece> pieces = new ArrayList<>(1);
    private byte[] buffer = new byte[FIRST_ROOM];
    /** The buffer of a list that has been written, for reuse. */
    private byte @Nullable [] spare;

    private int at;
    private int element;
    private int count;

    /** A closed list, which must not be changed any more. */
    static final class Piece {
        final byte[] content;
        final int length;
        final int elements;

        Piece(byte[] content, int length, int elements) {
            this.content = content;
            this.length = length;
            this.elements = elements;
        }
    }

    /** Whether a list is closed, so that {@link NftBatch} can take it while more elements are added. */
    public boolean hasFull() {
        return !pieces.isEmpty();
    }

    /** Starts an element. */
    public ElementList begin() {
        if (at >= FULL) {
            close();
        }
        element = at;
        ensureCapacity(HEADER);
        at += HEADER;
        return this;
    }

    /** The key, or the first key of a range. */
    public ElementList key(byte[] source, int from, int length) {
        return value(KEY, source, from, length);
    }

    /** The last key of a range. */
    public ElementList keyEnd(byte[] source, int from, int length) {
        return value(KEY_END, source, from, length);
    }

    /** The value of a map for the key. */
    public ElementList data(byte[] source, int from, int length) {
        return value(DATA, source, from, length);
    }

    private ElementList value(int type, byte[] source, int from, int length) {
        int padded = align(length);
        ensureCapacity(2 * HEADER + padded);
        header(at, 2 * HEADER + padded, type | NESTED);
        header(at + HEADER, HEADER + length, DATA_VALUE);
        at += 2 * HEADER;
        System.arraycopy(source, from, buffer, at, length);
        pad(length, padded);
        return this;
    }

    /**
     * A comment; empty for none.
     *
     * @throws IllegalArgumentException when it is longer than {@link UserData#MAX_COMMENT}
     */
    public ElementList comment(String comment) {
        if (comment.isEmpty()) {
            return this;
        }
        byte[] utf8 = comment.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > UserData.MAX_COMMENT) {
            throw new IllegalArgumentException("a comment holds at most " + UserData.MAX_COMMENT + " bytes, got "
                    + utf8.length + ": \"" + comment + "\"");
        }
        int length = COMMENT_HEADER + utf8.length + 1;
        int padded = align(length);
        ensureCapacity(HEADER + padded);
        header(at, HEADER + length, USERDATA);
        at += HEADER;
        buffer[at++] = UserData.COMMENT;
        buffer[at++] = (byte) (utf8.length + 1);
        System.arraycopy(utf8, 0, buffer, at, utf8.length);
        pad(utf8.length, padded - COMMENT_HEADER);
        return this;
    }

    /** A counter that starts at these values; without it the counter of a set that has them starts at zero. */
    public ElementList counter(long packets, long bytes) {
        int value = HEADER + Long.BYTES;
        int name = HEADER + COUNTER.length;
        int data = HEADER + 2 * value;
        ensureCapacity(HEADER + name + data);
        header(at, HEADER + name + data, EXPR | NESTED);
        header(at + HEADER, name, EXPR_NAME);
        System.arraycopy(COUNTER, 0, buffer, at + 2 * HEADER, COUNTER.length);
        at += HEADER + name;
        header(at, data, EXPR_DATA | NESTED);
        at += HEADER;
        number(COUNTER_BYTES, bytes);
        number(COUNTER_PACKETS, packets);
        return this;
    }

    private void number(int type, long value) {
        header(at, HEADER + Long.BYTES, type);
        at += HEADER;
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            buffer[at++] = (byte) (value >> shift);
        }
    }

    /** Ends the element. */
    public void end() {
        header(element, at - element, LIST_ELEMENT | NESTED);
        count++;
    }

    private void pad(int written, int padded) {
        at += written;
        for (int i = written; i < padded; i++) {
            buffer[at++] = 0;
        }
    }

    /** Writes {@code struct nlattr} byte by byte: a first load is over before the compiler would have optimized anything else. */
    private void header(int offset, int length, int type) {
        if (LITTLE_ENDIAN) {
            buffer[offset] = (byte) length;
            buffer[offset + 1] = (byte) (length >> 8);
            buffer[offset + 2] = (byte) type;
            buffer[offset + 3] = (byte) (type >> 8);
        } else {
            buffer[offset] = (byte) (length >> 8);
            buffer[offset + 1] = (byte) length;
            buffer[offset + 2] = (byte) (type >> 8);
            buffer[offset + 3] = (byte) type;
        }
    }

    private static int align(int length) {
        return (length + 3) & ~3;
    }

    private void ensureCapacity(int more) {
        if (at + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(at + more, buffer.length * 2));
        }
    }

    private void close() {
        pieces.add(new Piece(buffer, at, count));
        byte[] used = spare;
        buffer = used == null ? new byte[FULL + FIRST_ROOM] : used;
        spare = null;
        at = 0;
        count = 0;
    }

    /**
     * Called when a list that was taken has been written. Its buffer is reused for the next one: there are many lists, with a lifetime that
     * is unfavourable to the garbage collector.
     */
    void written(Piece piece) {
        if (piece.content.length >= FULL + FIRST_ROOM) {
            spare = piece.content;
        }
    }

    /** Returns the closed lists, and with {@code all} the rest; what was returned is removed, but still counted. */
    List<Piece> take(boolean all) {
        if (all && count > 0) {
            pieces.add(new Piece(buffer, at, count));
            buffer = new byte[FIRST_ROOM];
            at = 0;
            count = 0;
        }
        List<Piece> taken = List.copyOf(pieces);
        pieces.clear();
        return taken;
    }
}
