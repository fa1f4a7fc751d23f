package io.dualstackd.kubeapi.wire.raw;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the fields of one protobuf message in an array; nested messages are entered and left. */
public final class ProtoReader {
    private final CodedInputStream in;
    private final byte[] bytes;
    private final int start;
    private final NamePool names;
    private int tag;

    public ProtoReader(byte[] bytes, int offset, int length, NamePool names) {
        this.bytes = bytes;
        this.start = offset;
        this.names = names;
        in = CodedInputStream.newInstance(bytes, offset, length);
    }

    /** Goes to the next field of the message; false when there is none. */
    public boolean next() throws IOException {
        tag = in.readTag();
        return tag != 0;
    }

    /** Number and wire type of the field, one of {@link ProtoTag} if the field is used. */
    public int tag() {
        return tag;
    }

    public void skip() throws IOException {
        if (!in.skipField(tag)) {
            throw new InvalidProtocolBufferException("a group ends that did not begin");
        }
    }

    /** Enters the nested message of the field; the result must be passed to {@link #leave}. */
    public int enter() throws IOException {
        int length = in.readRawVarint32();
        return in.pushLimit(length);
    }

    public void leave(int outer) throws IOException {
        if (!in.isAtEnd()) {
            throw new InvalidProtocolBufferException("a message ends before its last field");
        }
        in.popLimit(outer);
    }

    public int number() throws IOException {
        return in.readRawVarint32();
    }

    long longNumber() throws IOException {
        return in.readRawVarint64();
    }

    boolean bool() throws IOException {
        return in.readRawVarint64() != 0;
    }

    /** Reads a text that is probably unique. */
    public String text() throws IOException {
        int length = length();
        return length == 0 ? "" : new String(bytes, position() - length, length, StandardCharsets.UTF_8);
    }

    /** Reads a text that occurs repeatedly. */
    public String name() throws IOException {
        int length = length();
        return names.name(bytes, position() - length, length);
    }

    /** Whether the text equals this one, in ASCII. */
    boolean is(byte[] text) throws IOException {
        int length = length();
        int from = position() - length;
        return Arrays.equals(bytes, from, from + length, text, 0, text.length);
    }

    /** Skips a text and returns its length in bytes; it begins at {@link #textStart}. */
    public int length() throws IOException {
        int length = in.readRawVarint32();
        in.skipRawBytes(length);
        return length;
    }

    /** The offset of the text of this length that was just skipped. */
    public int textStart(int length) {
        return position() - length;
    }

    byte[] bytes() {
        return bytes;
    }

    NamePool names() {
        return names;
    }

    /**
     * Returns the exception for a message that could not be read.
     *
     * @param before bytes of the response before the message
     */
    public WireException wrong(long before, String what, IOException e) {
        return WireException.at(before + in.getTotalBytesRead(), what + " is not protobuf: " + e.getMessage());
    }

    private int position() {
        return start + in.getTotalBytesRead();
    }
}
