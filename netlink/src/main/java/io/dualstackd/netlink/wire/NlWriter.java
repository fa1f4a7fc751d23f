package io.dualstackd.netlink.wire;

import io.dualstackd.netlink.ip.Ip;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Writes consecutive netlink messages. Lengths of messages and nests are set when they end. Written data is addressed by its offset from
 * the first byte. Not safe for use by several threads; meant to be reused ({@link #clear}).
 */
public final class NlWriter {
    /** Offsets in {@code struct nlmsghdr}. */
    private static final int TYPE_AND_FLAGS = 4;

    private static final int SEQUENCE = 8;

    private final BufferSink pages;
    /** Buffer for an integer in {@link #pages}. */
    private final byte[] integer = new byte[Integer.BYTES];

    private byte[] buffer;
    private int at;

    public NlWriter() {
        this(1024);
    }

    /** @param capacity initial size in bytes; the buffer doubles when full */
    public NlWriter(int capacity) {
        this(capacity, new NlPages());
    }

    /** @param sink receives finished messages when the buffer is large */
    public NlWriter(int capacity, BufferSink sink) {
        buffer = new byte[Math.max(64, capacity)];
        pages = sink;
    }

    /** Writes into {@code buffer}, and into another one once it is full. */
    NlWriter(byte[] buffer) {
        this.buffer = buffer;
        pages = new NlPages();
    }

    /** Bytes written so far. */
    public int length() {
        return pages.length() + at;
    }

    /** Takes {@code length} bytes of {@code buffer}, which must not be changed. */
    @FunctionalInterface
    public interface Piece {
        void take(byte[] buffer, int length);
    }

    /** Passes what was written to {@code to}, piece by piece, without copying. */
    public void pieces(Piece to) {
        pages.pieces(to);
        to.take(buffer, at);
    }

    /** Moves everything finished to the sink, and returns it. To be called between messages. */
    public BufferSink shelved() {
        if (at > 0) {
            pages.add(buffer, at);
            at = 0;
        }
        return pages;
    }

    /** Returns a copy of what was written. */
    public byte[] toByteArray() {
        byte[] all = new byte[length()];
        pieces(new Piece() {
            private int to;

            @Override
            public void take(byte[] piece, int length) {
                System.arraycopy(piece, 0, all, to, length);
                to += length;
            }
        });
        return all;
    }

    /** Returns what was written as a value. */
    public Bytes toBytes() {
        return pages.length() == 0 ? Bytes.of(buffer, 0, at) : Bytes.of(toByteArray());
    }

    /** Discards everything; keeps the buffer. */
    public void clear() {
        pages.clear();
        at = 0;
    }

    /**
     * Starts a message: {@code struct nlmsghdr} with port id 0.
     *
     * @return the mark to pass to {@link #endMessage}
     */
    public int startMessage(int type, int flags, int sequence) {
        int mark = length();
        u32(0);
        u16(type);
        u16(flags);
        u32(sequence);
        u32(0);
        return mark;
    }

    public void endMessage(int mark) {
        pad();
        int from = mark - pages.length();
        Nla.INT.set(buffer, from, at - from);
        if (at >= pages.portion()) {
            pages.add(buffer, at);
            at = 0;
        }
    }

    /** Adds flag bits to a message that has ended. */
    public void addMessageFlags(int offset, int flags) {
        int at = offset + TYPE_AND_FLAGS;
        byte[] both = get(at);
        Nla.SHORT.set(both, Short.BYTES, (short) ((short) Nla.SHORT.get(both, Short.BYTES) | flags));
        put(at, both);
    }

    /** Sets the sequence number of a message that has ended: those of a batch are known only when it is sent. */
    public void setMessageSequence(int offset, int sequence) {
        Nla.INT.set(integer, 0, sequence);
        put(offset + SEQUENCE, integer);
    }

    /** Overwrites four bytes, in network order, of a message that has ended. */
    public void setU32be(int offset, int value) {
        Nla.INT_BE.set(integer, 0, value);
        put(offset, integer);
    }

    /** Bytes of the message at {@code offset} that has ended; the next one begins after it. */
    public int messageLength(int offset) {
        return (int) Nla.INT.get(get(offset), 0);
    }

    /** The message at {@code offset} that has ended, as its receiver sees it; valid only until something is written. */
    public NlMessage message(int offset) {
        int length = messageLength(offset);
        if (offset >= pages.length()) {
            return new NlMessage(buffer, offset - pages.length(), length);
        }
        byte[] message = new byte[length];
        pages.get(offset, message, length);
        return new NlMessage(message, 0, length);
    }

    /** Bytes of the attribute at {@code offset} that has ended, with its padding. */
    public int attributeSpan(int offset) {
        return Nla.align((short) Nla.SHORT.get(get(offset), 0) & 0xffff);
    }

    /** Four bytes of a message that has ended. */
    private byte[] get(int offset) {
        if (offset >= pages.length()) {
            System.arraycopy(buffer, offset - pages.length(), integer, 0, Integer.BYTES);
        } else {
            pages.get(offset, integer, Integer.BYTES);
        }
        return integer;
    }

    private void put(int offset, byte[] four) {
        if (offset >= pages.length()) {
            System.arraycopy(four, 0, buffer, offset - pages.length(), Integer.BYTES);
        } else {
            pages.put(offset, four, Integer.BYTES);
        }
    }

    public void u8(int value) {
        ensureCapacity(1);
        buffer[at++] = (byte) value;
    }

    public void u16(int value) {
        ensureCapacity(2);
        Nla.SHORT.set(buffer, at, (short) value);
        at += 2;
    }

    public void u16be(int value) {
        ensureCapacity(2);
        Nla.SHORT_BE.set(buffer, at, (short) value);
        at += 2;
    }

    public void u32(int value) {
        ensureCapacity(4);
        Nla.INT.set(buffer, at, value);
        at += 4;
    }

    public void u32be(int value) {
        ensureCapacity(4);
        Nla.INT_BE.set(buffer, at, value);
        at += 4;
    }

    public void u64be(long value) {
        ensureCapacity(8);
        Nla.LONG_BE.set(buffer, at, value);
        at += 8;
    }

    public void bytes(byte[] source, int from, int length) {
        ensureCapacity(length);
        System.arraycopy(source, from, buffer, at, length);
        at += length;
    }

    public void bytes(Bytes source) {
        source.writeTo(this);
    }

    public void zeros(int count) {
        ensureCapacity(count);
        Arrays.fill(buffer, at, at + count, (byte) 0);
        at += count;
    }

    /** Writes a fixed-size C string: the text, then zeros. The text must be shorter than {@code size}, so that a NUL ends it. */
    public void fixedText(String text, int size) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length >= size) {
            throw new IllegalArgumentException("\"" + text + "\" does not fit into " + size + " bytes with its NUL");
        }
        bytes(utf8, 0, utf8.length);
        zeros(size - utf8.length);
    }

    public void ip(Ip ip) {
        switch (ip) {
            case Ip.V4(int bits) -> u32be(bits);
            case Ip.V6(long high, long low) -> {
                u64be(high);
                u64be(low);
            }
        }
    }

    public NlWriter put(Attr.U8 attr, int value) {
        int mark = start(attr.number());
        u8(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.U16 attr, int value) {
        int mark = start(attr.number());
        u16(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.U16be attr, int value) {
        int mark = start(attr.number());
        u16be(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.U32 attr, int value) {
        int mark = start(attr.number());
        u32(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.U32be attr, int value) {
        int mark = start(attr.number());
        u32be(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.U64be attr, long value) {
        int mark = start(attr.number());
        u64be(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.Text attr, String value) {
        int mark = start(attr.number());
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        bytes(utf8, 0, utf8.length);
        u8(0);
        return end(mark, attr);
    }

    public NlWriter put(Attr.Address attr, Ip value) {
        int mark = start(attr.number());
        ip(value);
        return end(mark, attr);
    }

    public NlWriter put(Attr.Payload attr, Bytes value) {
        int mark = start(attr.number());
        bytes(value);
        return end(mark, attr);
    }

    public NlWriter put(RawAttr attr) {
        int mark = start(attr.type());
        bytes(attr.payload());
        finish(mark);
        return this;
    }

    /** Writes a payload by calling {@code body}. */
    public NlWriter payload(Attr.Payload attr, Consumer<NlWriter> body) {
        int mark = start(attr.number());
        body.accept(this);
        return end(mark, attr);
    }

    /** Writes a nest whose content is written by {@code body}. */
    public NlWriter nest(Attr.Nest attr, Consumer<NlWriter> body) {
        int mark = startNest(attr);
        body.accept(this);
        endNest(mark, attr);
        return this;
    }

    /** Starts a nest without a lambda, for hot paths. */
    public int startNest(Attr attr) {
        return start(attr.number() | Nla.NESTED);
    }

    /** Ends the nest that {@link #startNest} started. */
    public void endNest(int mark, Attr attr) {
        end(mark, attr);
    }

    private int start(int type) {
        int mark = length();
        u16(0);
        u16(type);
        return mark;
    }

    private NlWriter end(int mark, Attr attr) {
        if (length() - mark > Nla.MAX_LENGTH) {
            throw new IllegalStateException(
                    attr.name() + " has " + (length() - mark) + " bytes; an attribute holds at most " + Nla.MAX_LENGTH);
        }
        finish(mark);
        return this;
    }

    private void finish(int mark) {
        int from = mark - pages.length();
        Nla.SHORT.set(buffer, from, (short) (at - from));
        pad();
    }

    private void pad() {
        int padding = Nla.align(at) - at;
        if (padding > 0) {
            zeros(padding);
        }
    }

    private void ensureCapacity(int count) {
        if (at + count > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(at + count, buffer.length * 2));
        }
    }
}
