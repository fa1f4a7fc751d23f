package io.dualstackd.netlink.wire;

import io.dualstackd.netlink.ip.Ip;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads consecutive values from a region of bytes. Every read past the end is a {@link DecodeException}, nothing else. */
public final class NlReader {
    private final byte[] buffer;
    private final int start;
    private final int end;
    private final String what;
    private int at;

    /** @param what names the region in errors, for example {@code RTM_NEWADDR} */
    public NlReader(byte[] buffer, int from, int length, String what) {
        this.buffer = buffer;
        this.start = from;
        this.at = from;
        this.end = from + length;
        this.what = what;
    }

    /** The name of the region, for errors. */
    public String what() {
        return what;
    }

    public int remaining() {
        return end - at;
    }

    /** Offset from the start of the region. */
    public int offset() {
        return at - start;
    }

    public int u8() throws DecodeException {
        return buffer[take(1)] & 0xff;
    }

    public int u16() throws DecodeException {
        return (short) Nla.SHORT.get(buffer, take(2)) & 0xffff;
    }

    public int u16be() throws DecodeException {
        return (short) Nla.SHORT_BE.get(buffer, take(2)) & 0xffff;
    }

    public int u32() throws DecodeException {
        return (int) Nla.INT.get(buffer, take(4));
    }

    public void skip(int count) throws DecodeException {
        take(count);
    }

    public Bytes bytes(int count) throws DecodeException {
        int from = take(count);
        return Bytes.of(buffer, from, from + count);
    }

    /** Returns all remaining bytes. */
    public Bytes rest() {
        Bytes rest = Bytes.of(buffer, at, end);
        at = end;
        return rest;
    }

    /** Reads {@code size} bytes holding a C string: the text up to the first NUL. */
    public String fixedText(int size) throws DecodeException {
        int from = take(size);
        int to = from;
        while (to < from + size && buffer[to] != 0) {
            to++;
        }
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** Reads an address of 4 or 16 bytes. */
    public Ip ip(int bytes) throws DecodeException {
        int from = take(bytes);
        if (bytes != 4 && bytes != 16) {
            throw error("want 4 or 16 bytes for an address, got " + bytes);
        }
        return Ip.ofBytes(Arrays.copyOfRange(buffer, from, from + bytes));
    }

    /** Returns the rest as attributes declared in {@code table}. */
    public Attrs attrs(AttrTable table) throws DecodeException {
        Attrs attrs = Attrs.read(table, buffer, start, at, end, what);
        at = end;
        return attrs;
    }

    /** Returns the rest as attributes, to be iterated. */
    public AttrCursor cursor() {
        AttrCursor cursor = new AttrCursor(buffer, at, end, what);
        at = end;
        return cursor;
    }

    /** Returns an error at the current offset, for readers of C structures. */
    public DecodeException error(String problem) {
        return DecodeException.at(what, offset(), problem);
    }

    private int take(int count) throws DecodeException {
        if (count < 0 || count > end - at) {
            throw error("want " + count + " bytes, got " + (end - at));
        }
        int from = at;
        at += count;
        return from;
    }
}
