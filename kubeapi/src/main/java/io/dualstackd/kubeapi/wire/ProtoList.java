package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.ProtoTag;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;

/**
 * Decodes a list in protobuf: an envelope whose bytes are a message of {@code metadata} and {@code items}. Both outer messages are parsed
 * byte by byte as they arrive; only an item is read as a whole, and copied only when it arrives in pieces.
 */
final class ProtoList<T> extends BufferedDecoder {
    private static final int MAX_VARINT = 10;
    private static final int WIRE_TYPE = 7;

    /** The part that the next byte belongs to. */
    private enum Step {
        MAGIC,
        TAG,
        LENGTH,
        NUMBER,
        KEPT,
        SKIPPED
    }

    private final ObjectReader<T> objects;
    private final ByteAccumulator byteAccumulator = new ByteAccumulator();
    private Step step = Step.MAGIC;
    /** Number of bytes of the response that were taken. */
    private long position;
    /** Position of the list's end while inside of it; negative before and after. */
    private long listEnd = -1;

    private boolean listSeen;
    private long varint;
    private int varintBytes;
    private int tag;
    /** Length of the field that is kept or skipped. */
    private long length;

    private long skipped;
    private String resourceVersion = "";
    private String continueToken = "";

    ProtoList(ObjectReader<T> objects) {
        this.objects = objects;
    }

    @Override
    void feed(byte[] bytes, int from, int count) throws WireException {
        int at = from;
        int end = from + count;
        while (at < end) {
            switch (step) {
                case MAGIC -> magic(bytes[at++]);
                case TAG, LENGTH, NUMBER -> varint(bytes[at++]);
                case KEPT -> at = keep(bytes, at, end);
                case SKIPPED -> at = skip(at, end);
            }
        }
    }

    private void magic(byte next) throws WireException {
        if (!Envelope.isMagic(next, (int) position)) {
            throw WireException.at(position, "an answer in protobuf begins with the bytes k8s\\0");
        }
        if (++position == Envelope.MAGIC_LENGTH) {
            step = Step.TAG;
        }
    }

    private void varint(byte next) throws WireException {
        if (varintBytes == MAX_VARINT) {
            throw WireException.at(position, "a number of more than " + MAX_VARINT + " bytes");
        }
        varint |= (long) (next & 0x7f) << (7 * varintBytes++);
        position++;
        if (next < 0) {
            return;
        }
        long value = varint;
        varint = 0;
        varintBytes = 0;
        switch (step) {
            case TAG -> field(value);
            case LENGTH -> value(value);
            case NUMBER -> fieldEnd();
            case MAGIC, KEPT, SKIPPED -> throw new IllegalStateException("no number is read in step " + step);
        }
    }

    private void field(long value) throws WireException {
        if (value <= WIRE_TYPE || value > Integer.MAX_VALUE) {
            throw WireException.at(position, "no field of protobuf");
        }
        tag = (int) value;
        switch (tag & WIRE_TYPE) {
            case 0 -> step = Step.NUMBER;
            case 1 -> skipBytes(8);
            case 2 -> step = Step.LENGTH;
            case 5 -> skipBytes(4);
            default -> throw WireException.at(position, "wire type " + (tag & WIRE_TYPE) + " is not used in lists");
        }
    }

    private void value(long size) throws WireException {
        if (size < 0 || (listEnd >= 0 && size > listEnd - position)) {
            throw WireException.at(position, "a field of the list is longer than the list");
        }
        boolean inside = listEnd >= 0;
        if (!inside && tag == ProtoTag.UNKNOWN_RAW) {
            listEnd = position + size;
            listSeen = true;
            step = Step.TAG;
            leaveListAtItsEnd();
        } else if (inside
                ? tag == ProtoTag.LIST_METADATA || tag == ProtoTag.LIST_ITEMS
                : tag == ProtoTag.UNKNOWN_TYPE_META) {
            ByteAccumulator.check(size, position);
            length = size;
            step = Step.KEPT;
            if (size == 0) {
                whole(byteAccumulator.bytes(), 0);
            }
        } else {
            skipBytes(size);
        }
    }

    private void skipBytes(long count) throws WireException {
        length = count;
        skipped = 0;
        step = Step.SKIPPED;
        if (count == 0) {
            fieldEnd();
        }
    }

    private int skip(int at, int end) throws WireException {
        int taken = (int) Math.min(length - skipped, end - at);
        skipped += taken;
        position += taken;
        if (skipped == length) {
            fieldEnd();
        }
        return at + taken;
    }

    private int keep(byte[] bytes, int at, int end) throws WireException {
        int missing = (int) length - byteAccumulator.size();
        int taken = Math.min(missing, end - at);
        if (taken < missing) {
            byteAccumulator.add(bytes, at, taken);
            position += taken;
        } else if (byteAccumulator.size() == 0) {
            position += taken;
            whole(bytes, at);
        } else {
            byteAccumulator.add(bytes, at, taken);
            position += taken;
            whole(byteAccumulator.bytes(), 0);
            byteAccumulator.clear();
        }
        return at + taken;
    }

    /** A kept field is complete. */
    private void whole(byte[] bytes, int at) throws WireException {
        long before = position - length;
        if (listEnd < 0) {
            kind(bytes, at, before);
        } else if (tag == ProtoTag.LIST_METADATA) {
            metadata(bytes, at, before);
        } else {
            objects.proto(ObjectReader.Verb.PUT, bytes, at, (int) length, before);
        }
        fieldEnd();
    }

    private void fieldEnd() throws WireException {
        step = Step.TAG;
        leaveListAtItsEnd();
    }

    private void leaveListAtItsEnd() throws WireException {
        if (listEnd >= 0 && position > listEnd) {
            throw WireException.at(position, "a field of the list is longer than the list");
        }
        if (position == listEnd) {
            listEnd = -1;
        }
    }

    private void kind(byte[] bytes, int at, long before) throws WireException {
        ProtoReader in = new ProtoReader(bytes, at, (int) length, objects.names());
        try {
            while (in.next()) {
                if (in.tag() == ProtoTag.TYPE_META_KIND) {
                    String kind = in.name();
                    if (!kind.equals(objects.kind() + "List")) {
                        throw WireException.at(
                                before, "a " + kind + " where a " + objects.kind() + "List was asked for");
                    }
                } else {
                    in.skip();
                }
            }
        } catch (IOException e) {
            throw in.wrong(before, "TypeMeta", e);
        }
    }

    private void metadata(byte[] bytes, int at, long before) throws WireException {
        ProtoReader in = new ProtoReader(bytes, at, (int) length, objects.names());
        try {
            while (in.next()) {
                switch (in.tag()) {
                    case ProtoTag.LIST_META_RESOURCE_VERSION -> resourceVersion = in.text();
                    case ProtoTag.LIST_META_CONTINUE -> continueToken = in.text();
                    default -> in.skip();
                }
            }
        } catch (IOException e) {
            throw in.wrong(before, "ListMeta", e);
        }
    }

    @Override
    public void end() throws WireException {
        if (!listSeen || listEnd >= 0 || step != Step.TAG || varintBytes > 0) {
            throw WireException.at(position, "the list ends in the middle");
        }
        objects.to().listed(resourceVersion, continueToken.isEmpty() ? Optional.empty() : Optional.of(continueToken));
    }
}
