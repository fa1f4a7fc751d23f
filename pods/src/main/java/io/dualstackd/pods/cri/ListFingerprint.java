package io.dualstackd.pods.cri;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.zip.CRC32;

/**
 * A fingerprint of an encoded list, to detect whether it has the same content as another one without decoding it. Decoding costs twenty
 * times as much, and the same list is received each second.
 *
 * <p>Runtimes written in Go send items and map entries in a different order each time, so order is ignored, both of items and of the fields
 * of an item. Numbers (states, counts, times) count exactly; a change of a text is missed with a probability of one in four thousand
 * million. Format: the wire format of Protocol Buffers.
 */
public final class ListFingerprint {
    private final byte[] bytes;
    private final CodedInputStream in;
    private final CRC32 crc = new CRC32();

    private ListFingerprint(byte[] bytes, int length) {
        this.bytes = bytes;
        this.in = CodedInputStream.newInstance(bytes, 0, length);
    }

    /**
     * Returns the fingerprint of a message that consists of items.
     *
     * @param message its first {@code length} bytes
     * @throws IllegalArgumentException when it breaks the wire format at the level of items or their fields
     */
    public static long of(byte[] message, int length) {
        try {
            return new ListFingerprint(message, length).fields(true);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private long fields(boolean items) throws IOException {
        long sum = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            sum += mixed(tag * 0x9e3779b97f4a7c15L ^ value(tag, items));
        }
        return mixed(sum);
    }

    private long value(int tag, boolean items) throws IOException {
        return switch (WireFormat.getTagWireType(tag)) {
            case WireFormat.WIRETYPE_VARINT -> in.readRawVarint64();
            case WireFormat.WIRETYPE_FIXED64 -> in.readRawLittleEndian64();
            case WireFormat.WIRETYPE_FIXED32 -> in.readRawLittleEndian32();
            case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
                int length = in.readRawVarint32();
                yield items ? item(length) : text(length) + ((long) length << 32);
            }
            default -> throw new InvalidProtocolBufferException("a field with the tag " + tag);
        };
    }

    private long item(int length) throws IOException {
        int outer = in.pushLimit(length);
        long print = fields(false);
        in.popLimit(outer);
        return print;
    }

    private long text(int length) throws IOException {
        int from = in.getTotalBytesRead();
        in.skipRawBytes(length);
        crc.reset();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    /** Mixes the bits, so that sums of similar values differ. */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 32) * 0xd6e8feb86659fd93L;
        mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
        return mixed ^ mixed >>> 32;
    }
}
