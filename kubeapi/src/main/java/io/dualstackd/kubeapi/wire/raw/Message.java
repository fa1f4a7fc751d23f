package io.dualstackd.kubeapi.wire.raw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an API message that are read: their names in JSON, and their numbers in protobuf ({@code generated.proto} of Kubernetes'
 * API packages; a number is never reused for another field). A test compares all of them with upstream's definitions.
 */
public final class Message {
    /** The type of a field. */
    enum Type {
        TEXT,
        TEXTS,
        NUMBER,
        BOOL,
        MESSAGE,
        MESSAGES,
        /** A map from text to text. */
        MAP,
        /** A message in protobuf and a scalar in JSON. */
        SCALAR
    }

    /** @param tag on the wire: number and wire type */
    record Entry(String name, int tag, Type type) {}

    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable Entry[] byNumber = new Entry[0];

    private Message(String name, String fields) {
        this.name = name;
        for (String field : fields.split(", ", -1)) {
            String[] words = field.split(" (= )?", -1);
            add(Type.valueOf(words[0].toUpperCase(Locale.ROOT)), words[1], Integer.parseInt(words[2]));
        }
    }

    /**
     * @param name as upstream names the message
     * @param fields type, name and number of each: {@code "text name = 1, texts addresses = 2"}
     */
    public static Message of(String name, String fields) {
        return new Message(name, fields);
    }

    private void add(Type type, String field, int number) {
        boolean varint = type == Type.NUMBER || type == Type.BOOL;
        // Interned, as the constants of the switches that it is compared with are: then comparing takes no look at the
        // characters.
        Entry entry = new Entry(field.intern(), number << 3 | (varint ? VARINT : BYTES), type);
        entries.add(entry);
        byNumber = Arrays.copyOf(byNumber, Math.max(byNumber.length, number + 1));
        byNumber[number] = entry;
    }

    String name() {
        return name;
    }

    List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** The name of the field with this tag; empty when it is not read. */
    public String field(int tag) {
        Entry entry = find(tag);
        return entry == null ? "" : entry.name;
    }

    /** The field with this tag; null when it is not read. */
    @Nullable
    Entry find(int tag) {
        int number = tag >>> 3;
        Entry entry = number < byNumber.length ? byNumber[number] : null;
        return entry != null && entry.tag == tag ? entry : null;
    }
}
