package io.dualstackd.kubeapi.wire.raw;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Walks through one message of protobuf in an array; messages inside are entered and left. */
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

    /** Number and wire type of the field, one of {@link ProtoTag} if it is for us. */
    public int tag() {
        return tag;
    }

    public void skip() throws IOException {
        if (!in.skipField(tag)) {
            throw new InvalidProtocolBufferException("a group ends that did not begin");
        }
    }

    /** Enters the message that the field is; to be given to {@link #leave}. */
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

    /** A text that is likely to be the only one of its kind. */
    public String text() throws IOException {
        int length = length();
        return length == 0 ? "" : new String(bytes, position() - length, length, StandardCharsets.UTF_8);
    }

    /** A text that repeats. */
    public String name() throws IOException {
        int length = length();
        return names.name(bytes, position() - length, length);
    }

    /** Whether the text is this one, in ASCII. */
    boolean is(byte[] text) throws IOException {
        int length = length();
        int from = position() - length;
        return Arrays.equals(bytes, from, from + length, text, 0, text.length);
    }

    /** The bytes of a text, which are at {@link #textStart} and after. */
    public int length() throws IOException {
        int length = in.readRawVarint32();
        in.skipRawBytes(length);
        return length;
    }

    /** Where the text of this length began that was just passed. */
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
     * What to say when this message could not be read.
     *
     * @param before bytes of the answer before the message
     */
    public WireException wrong(long before, String what, IOException e) {
        return WireException.at(before + in.getTotalBytesRead(), what + " is not protobuf: " + e.getMessage());
    }

    private int position() {
        return start + in.getTotalBytesRead();
    }
}
