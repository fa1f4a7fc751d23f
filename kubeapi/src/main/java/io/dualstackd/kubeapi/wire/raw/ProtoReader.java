package io.dualstackd.kubeapi.wire.raw;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a message in protobuf that is in an array; used again for the next one. */
public final class ProtoReader implements FieldReader {
    private static final int MAX_DEPTH = 8;
    private static final int IS_STRING = 1;

    private static final Message TIME = Message.of("Time", "number seconds = 1");
    private static final Message INT_OR_STRING =
            Message.of("IntOrString", "number type = 1, number intVal = 2, text strVal = 3");
    /** An entry of any {@code map<string, string>}. */
    private static final Message ENTRY = Message.of("", "text key = 1, text value = 2");

    private final NamePool names;
    private byte[] bytes = new byte[0];
    private int start;
    private CodedInputStream in = CodedInputStream.newInstance(bytes);
    /** The messages around the current one, and their limits. */
    private final Message[] outer = new Message[MAX_DEPTH];

    private final int[] limits = new int[MAX_DEPTH];
    private int depth;
    private Message message = ENTRY;
    private Message.@Nullable Entry entry;
    private int textAt;
    private int textLength;

    public ProtoReader(NamePool names) {
        this.names = names;
    }

    /** Begins to read these bytes. */
    public ProtoReader over(byte[] array, int offset, int length) {
        bytes = array;
        start = offset;
        in = CodedInputStream.newInstance(array, offset, length);
        depth = 0;
        entry = null;
        return this;
    }

    @Override
    public void enter(Message entered) throws IOException {
        // The object itself has no length in front.
        limits[depth] = depth == 0 ? 0 : in.pushLimit(in.readRawVarint32());
        outer[depth++] = message;
        message = entered;
    }

    @Override
    public boolean next() throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            entry = message.find(tag);
            if (entry != null) {
                return true;
            } else if (!in.skipField(tag)) {
                throw new InvalidProtocolBufferException("a group ends that did not begin");
            }
        }
        message = outer[--depth];
        if (depth > 0) {
            in.popLimit(limits[depth]);
        }
        return false;
    }

    @Override
    public String field() {
        return entry == null ? "" : entry.name();
    }

    @Override
    public void skip() throws IOException {
        if (entry != null) {
            in.skipField(entry.tag());
        }
    }

    @Override
    public String text() throws IOException {
        bytes();
        return ipText();
    }

    @Override
    public String name() throws IOException {
        bytes();
        return names.name(bytes, textAt, textLength);
    }

    /** Skips bytes, which are at {@link #bytesStart}; returns their length. */
    public int bytes() throws IOException {
        textLength = in.readRawVarint32();
        in.skipRawBytes(textLength);
        textAt = position() - textLength;
        return textLength;
    }

    /** The offset in the array of the bytes that were just skipped. */
    public int bytesStart() {
        return textAt;
    }

    @Override
    public int number() throws IOException {
        return in.readRawVarint32();
    }

    @Override
    public boolean bool() throws IOException {
        return in.readRawVarint64() != 0;
    }

    @Override
    public long time() throws IOException {
        long seconds = 0;
        enter(TIME);
        while (next()) {
            seconds = in.readRawVarint64();
        }
        return seconds;
    }

    @Override
    public @Nullable Ip ip() throws IOException {
        bytes();
        Ip plain = Ip.parsePlain(bytes, textAt, textLength);
        return plain != null ? plain : IgnoredValues.ip(ipText()).orElse(null);
    }

    @Override
    public String ipText() {
        return textLength == 0 ? "" : new String(bytes, textAt, textLength, StandardCharsets.UTF_8);
    }

    @Override
    public PodSelector.Target target() throws IOException {
        int type = 0;
        int number = 0;
        String name = "";
        enter(INT_OR_STRING);
        while (next()) {
            switch (field()) {
                case "type" -> type = number();
                case "intVal" -> number = number();
                default -> name = name();
            }
        }
        return type != IS_STRING || name.isEmpty()
                ? new PodSelector.Target.Numbered(type == IS_STRING ? 0 : number)
                : new PodSelector.Target.Named(name);
    }

    @Override
    public void entries(Map<String, String> to) throws IOException {
        String key = "";
        String value = "";
        enter(ENTRY);
        while (next()) {
            if (field().equals("key")) {
                key = name();
            } else {
                value = name();
            }
        }
        to.put(key, value);
    }

    @Override
    public void labels(boolean annotations, @Nullable String[] to) throws IOException {
        int slot = -1;
        enter(ENTRY);
        while (next()) {
            if (field().equals("key")) {
                bytes();
                slot = WellKnownLabel.find(bytes, textAt, textLength, annotations);
                if (slot >= 0) {
                    // An empty value is absent on the wire.
                    to[slot] = "";
                }
            } else if (slot >= 0) {
                to[slot] = text();
            } else {
                skip();
            }
        }
    }

    @Override
    public NamePool names() {
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
