package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.ProtoTag;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;

/**
 * Decodes a watch in protobuf: frames with a length of four bytes, big-endian, and a {@code WatchEvent} that holds an object in its
 * envelope.
 */
final class ProtoWatch<T> extends BufferedDecoder {
    private static final int LENGTH_BYTES = 4;

    private final ObjectReader<T> objects;
    private final ByteAccumulator byteAccumulator = new ByteAccumulator();
    private long position;
    private int lengthBytes;
    /** Length of the frame, as far as its bytes have arrived. */
    private int length;

    ProtoWatch(ObjectReader<T> objects) {
        this.objects = objects;
    }

    @Override
    void feed(byte[] bytes, int from, int count) throws WireException {
        int at = from;
        int end = from + count;
        while (at < end) {
            if (lengthBytes < LENGTH_BYTES) {
                length = length << 8 | (bytes[at++] & 0xff);
                position++;
                if (++lengthBytes == LENGTH_BYTES) {
                    ByteAccumulator.check(length, position);
                    at = frame(bytes, at, end);
                }
            } else {
                at = frame(bytes, at, end);
            }
        }
    }

    /** Takes bytes of the frame; returns the offset of the remaining ones. */
    private int frame(byte[] bytes, int at, int end) throws WireException {
        int missing = length - byteAccumulator.size();
        int taken = Math.min(missing, end - at);
        if (taken < missing) {
            byteAccumulator.add(bytes, at, taken);
        } else if (byteAccumulator.size() == 0) {
            event(bytes, at, length);
        } else {
            byteAccumulator.add(bytes, at, taken);
            event(byteAccumulator.bytes(), 0, length);
        }
        position += taken;
        if (taken == missing) {
            byteAccumulator.clear();
            lengthBytes = 0;
            length = 0;
        }
        return at + taken;
    }

    private void event(byte[] bytes, int at, int size) throws WireException {
        int start = at;
        int rest = size;
        if (Envelope.begins(bytes, at, size)) {
            // Servers write the event itself without an envelope; an event with one can be distinguished.
            Envelope envelope = Envelope.open(bytes, at, size, objects.names(), position);
            start = envelope.start();
            rest = envelope.length();
        }
        ProtoReader in = new ProtoReader(bytes, start, rest, objects.names());
        String type = "";
        int object = 0;
        int objectLength = -1;
        try {
            while (in.next()) {
                switch (in.tag()) {
                    case ProtoTag.WATCH_EVENT_TYPE -> type = in.name();
                    case ProtoTag.WATCH_EVENT_OBJECT -> {
                        int outer = in.enter();
                        while (in.next()) {
                            if (in.tag() == ProtoTag.RAW_EXTENSION_RAW) {
                                objectLength = in.length();
                                object = in.textStart(objectLength);
                            } else {
                                in.skip();
                            }
                        }
                        in.leave(outer);
                    }
                    default -> in.skip();
                }
            }
        } catch (IOException e) {
            throw in.wrong(position, "WatchEvent", e);
        }
        if (objectLength < 0) {
            throw WireException.at(position, "a watch event \"" + type + "\" without object");
        }
        tell(type, bytes, object, objectLength);
    }

    private void tell(String type, byte[] bytes, int at, int size) throws WireException {
        Envelope object = Envelope.open(bytes, at, size, objects.names(), position);
        switch (type) {
            case "ADDED", "MODIFIED" -> tell(ObjectReader.Verb.PUT, bytes, object);
            case "DELETED" -> tell(ObjectReader.Verb.GONE, bytes, object);
            case "BOOKMARK" -> tell(ObjectReader.Verb.BOOKMARK, bytes, object);
            case "ERROR" ->
                objects.to().error(ProtoStatus.read(bytes, object.start(), object.length(), objects.names(), position));
            default -> throw WireException.at(position, "a watch event of type \"" + type + "\", which we do not know");
        }
    }

    private void tell(ObjectReader.Verb verb, byte[] bytes, Envelope object) throws WireException {
        if (!object.kind().isEmpty() && !object.kind().equals(objects.kind())) {
            throw WireException.at(position, "a " + object.kind() + " in a watch of " + objects.kind());
        }
        objects.proto(verb, bytes, object.start(), object.length(), position);
    }

    @Override
    public void end() throws WireException {
        if (lengthBytes > 0) {
            throw WireException.at(position, "the watch ends in the middle of an event");
        }
    }
}
