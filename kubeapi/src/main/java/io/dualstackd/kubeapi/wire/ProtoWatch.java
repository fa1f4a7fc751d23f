package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.Message;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes a watch in protobuf: frames with a length of four bytes, big-endian, and a {@code WatchEvent} that holds an object in its
 * envelope.
 */
final class ProtoWatch extends ProtoDecoder {
    private static final int LENGTH_BYTES = 4;

    private static final Message EVENT = Message.of("WatchEvent", "text type = 1, message object = 2");
    private static final Message EXTENSION = Message.of("RawExtension", "text raw = 1");

    private final ObjectReader objects;
    private final ProtoReader in;

    ProtoWatch(ObjectReader objects) {
        this.objects = objects;
        this.in = new ProtoReader(objects.names());
    }

    @Override
    int read(byte[] bytes, int offset, int length, long at) throws WireException {
        ByteBuffer lengths = ByteBuffer.wrap(bytes);
        int done = 0;
        while (length - done >= LENGTH_BYTES) {
            int size = lengths.getInt(offset + done);
            int head = done + LENGTH_BYTES;
            ObjectReader.checkSize(size, at + head);
            if (size > length - head) {
                break;
            }
            event(bytes, offset + head, size, at + head);
            done = head + size;
        }
        return done;
    }

    private void event(byte[] bytes, int offset, int size, long at) throws WireException {
        int start = offset;
        int rest = size;
        if (size >= Envelope.MAGIC_LENGTH && Envelope.begins(bytes, offset, size)) {
            // Servers write the event itself without an envelope; an event with one can be distinguished.
            Envelope envelope = Envelope.open(bytes, offset, size, in, at);
            start = envelope.start();
            rest = envelope.length();
        }
        String type = "";
        int object = 0;
        int objectLength = -1;
        try {
            in.over(bytes, start, rest).enter(EVENT);
            while (in.next()) {
                if (in.field().equals("type")) {
                    type = in.name();
                } else {
                    in.enter(EXTENSION);
                    while (in.next()) {
                        objectLength = in.bytes();
                        object = in.bytesStart();
                    }
                }
            }
        } catch (IOException e) {
            throw in.wrong(at, "WatchEvent", e);
        }
        if (objectLength < 0) {
            throw WireException.at(at, "a watch event \"" + type + "\" without object");
        }
        ObjectReader.Verb verb = ObjectReader.Verb.of(type, at);
        deliver(verb, bytes, Envelope.open(bytes, object, objectLength, in, at), at);
    }

    private void deliver(ObjectReader.Verb verb, byte[] bytes, Envelope object, long at) throws WireException {
        if (verb == ObjectReader.Verb.ERROR) {
            try {
                objects.to().error(ApiStatus.read(in.over(bytes, object.start(), object.length())));
            } catch (IOException e) {
                throw in.wrong(at, "Status", e);
            }
            return;
        }
        objects.checkWatched(object.kind(), at);
        objects.proto(verb, bytes, object.start(), object.length(), at);
    }

    @Override
    public void end() throws WireException {
        if (hasRest()) {
            throw WireException.at(position(), "the watch ends in the middle of an event");
        }
    }
}
