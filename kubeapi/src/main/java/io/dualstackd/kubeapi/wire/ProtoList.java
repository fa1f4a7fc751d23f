package io.dualstackd.kubeapi.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.dualstackd.kubeapi.wire.raw.Message;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;

/**
 * Decodes a list in protobuf: an envelope whose bytes are a message of {@code metadata} and {@code items}. Each item is read when all of its
 * bytes have arrived, whether or not the next one has.
 */
final class ProtoList extends ProtoDecoder {
    /** All kinds of lists have the same fields. */
    private static final Message LIST = Message.of("ServiceList", "message metadata = 1, messages items = 2");

    private static final Message LIST_META = Message.of("ListMeta", "text resourceVersion = 2, text continue = 3");

    /** Maximum length of a tag and a length, or a tag and a number. */
    private static final int LONGEST_HEAD = 15;

    private final ObjectReader objects;
    private final ProtoReader heads;
    private boolean begun;
    private boolean listSeen;
    /** Position of the list's end while inside of it; negative before and after. */
    private long listEnd = -1;
    /** Bytes of a field that is not read, and has not arrived completely. */
    private int skipped;

    private String resourceVersion = "";
    private String continueToken = "";

    ProtoList(ObjectReader objects) {
        this.objects = objects;
        this.heads = new ProtoReader(objects.names());
    }

    @Override
    int read(byte[] bytes, int offset, int length, long at) throws WireException {
        CodedInputStream in = CodedInputStream.newInstance(bytes, offset, length);
        int done = 0;
        try {
            while (done < length && field(in, bytes, offset, length, at)) {
                done = in.getTotalBytesRead();
            }
        } catch (IOException e) {
            if (length - done >= LONGEST_HEAD) {
                throw WireException.at(at + done, "no field of protobuf: " + e.getMessage());
            }
        }
        return done;
    }

    /** Reads the next field; false when it is incomplete. */
    private boolean field(CodedInputStream in, byte[] bytes, int offset, int length, long at)
            throws IOException, WireException {
        int before = in.getTotalBytesRead();
        if (!begun) {
            return magic(in, bytes, offset, length);
        } else if (skipped > 0) {
            int count = Math.min(skipped, length - before);
            in.skipRawBytes(count);
            skipped -= count;
            return true;
        } else if (at + before == listEnd) {
            listEnd = -1;
        }
        int tag = in.readTag();
        int type = WireFormat.getTagWireType(tag);
        if (type != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            if (type == WireFormat.WIRETYPE_START_GROUP || !in.skipField(tag)) {
                throw WireException.at(at + before, "wire type " + type + " is not used in lists");
            }
            checkInside(0, at + in.getTotalBytesRead());
            return true;
        }
        int size = in.readRawVarint32();
        int head = in.getTotalBytesRead();
        checkInside(size, at + head);
        String field = (listEnd >= 0 ? LIST : Envelope.UNKNOWN).field(tag);
        if (field.equals("raw")) {
            listEnd = at + head + size;
            listSeen = true;
        } else if (field.isEmpty()) {
            skipped = size;
        } else {
            ObjectReader.checkSize(size, at + head);
            if (size > length - head) {
                return false;
            }
            in.skipRawBytes(size);
            read(field, bytes, offset + head, size, at + head);
        }
        return true;
    }

    private boolean magic(CodedInputStream in, byte[] bytes, int offset, int length) throws IOException, WireException {
        if (!Envelope.begins(bytes, offset, length)) {
            throw WireException.at(0, "an answer in protobuf begins with the bytes k8s\\0");
        }
        begun = length >= Envelope.MAGIC_LENGTH;
        if (begun) {
            in.skipRawBytes(Envelope.MAGIC_LENGTH);
        }
        return begun;
    }

    private void checkInside(int size, long at) throws WireException {
        if (size < 0 || (listEnd >= 0 && size > listEnd - at)) {
            throw WireException.at(at, "a field of the list is longer than the list");
        }
    }

    /** Reads a field that is complete. */
    private void read(String field, byte[] bytes, int offset, int size, long at) throws WireException {
        try {
            switch (field) {
                case "items" -> objects.proto(ObjectReader.Verb.PUT, bytes, offset, size, at);
                case "metadata" -> metadata(heads.over(bytes, offset, size));
                default -> {
                    String kind = Envelope.kind(heads.over(bytes, offset, size));
                    if (!kind.isEmpty()) {
                        ObjectReader.checkListed(kind, objects.kind().toString(), at);
                    }
                }
            }
        } catch (IOException e) {
            throw heads.wrong(at, field, e);
        }
    }

    private void metadata(ProtoReader in) throws IOException {
        in.enter(LIST_META);
        while (in.next()) {
            if (in.field().equals("continue")) {
                continueToken = in.text();
            } else {
                resourceVersion = in.text();
            }
        }
    }

    @Override
    public void end() throws WireException {
        boolean open = listEnd >= 0 && position() < listEnd;
        if (!listSeen || open || skipped > 0 || hasRest()) {
            throw WireException.at(position(), "the list ends in the middle");
        }
        objects.to().listed(resourceVersion, Optional.of(continueToken).filter(token -> !token.isEmpty()));
    }
}
