package io.dualstackd.netlink.wire;

import io.dualstackd.netlink.ip.Ip;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;

/** Immutable bytes with equality by content, for records, where an array would compare by identity. */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** Returns a copy of {@code content}. */
    public static Bytes of(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /** Returns a copy of the region. */
    public static Bytes of(byte[] buffer, int from, int to) {
        return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(buffer, from, to));
    }

    /** Returns {@code size} bytes written by {@code body}; the rest at the end is zero. */
    public static Bytes written(int size, Consumer<NlWriter> body) {
        byte[] content = new byte[size];
        NlWriter writer = new NlWriter(content);
        body.accept(writer);
        if (writer.length() > size) {
            throw new IllegalArgumentException(writer.length() + " bytes written into " + size);
        }
        return new Bytes(content);
    }

    /** Reads hexadecimal digits, with blanks allowed between bytes. */
    public static Bytes ofHex(String hex) {
        return new Bytes(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** One byte. */
    public static Bytes u8(int value) {
        return new Bytes(new byte[] {(byte) value});
    }

    /** Two bytes in network order. */
    public static Bytes u16be(int value) {
        byte[] content = new byte[2];
        Nla.SHORT_BE.set(content, 0, (short) value);
        return new Bytes(content);
    }

    /** Four bytes in network order. */
    public static Bytes u32be(int value) {
        byte[] content = new byte[4];
        Nla.INT_BE.set(content, 0, value);
        return new Bytes(content);
    }

    /** Four bytes in host order. */
    public static Bytes u32(int value) {
        byte[] content = new byte[4];
        Nla.INT.set(content, 0, value);
        return new Bytes(content);
    }

    /** An address in network order, 4 or 16 bytes. */
    public static Bytes of(Ip ip) {
        return new Bytes(ip.toBytes());
    }

    /** The bytes of {@code text} in UTF-8, without NUL. */
    public static Bytes utf8(String text) {
        return text.isEmpty() ? EMPTY : new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code count} zeros. */
    public static Bytes zeros(int count) {
        return count == 0 ? EMPTY : new Bytes(new byte[count]);
    }

    /** Returns these bytes, followed by zeros up to {@code length}; this object when it is that long already. */
    public Bytes padTo(int length) {
        return content.length >= length ? this : new Bytes(Arrays.copyOf(content, length));
    }

    /** The first {@code count} bytes, or all when there are fewer. */
    public Bytes first(int count) {
        return count >= content.length ? this : of(content, 0, count);
    }

    public int length() {
        return content.length;
    }

    /** Byte {@code index}, 0 to 255. */
    public int at(int index) {
        return content[index] & 0xff;
    }

    /** Returns a new copy. */
    public byte[] toArray() {
        return content.clone();
    }

    /** Copies the content to {@code target}, from index {@code at} on; returns the index after it. */
    public int copyTo(byte[] target, int at) {
        System.arraycopy(content, 0, target, at, content.length);
        return at + content.length;
    }

    /** Returns a reader of the content; {@code what} names it in decode errors. */
    public NlReader reader(String what) {
        return new NlReader(content, 0, content.length, what);
    }

    void writeTo(NlWriter writer) {
        writer.bytes(content, 0, content.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** Lower-case hexadecimal without blanks. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(content);
    }
}
