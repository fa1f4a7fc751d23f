package io.dualstackd.kubeapi.wire.raw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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

    private Message(String name) {
        this.name = name;
    }

    /** @param name as upstream names the message */
    public static Message of(String name) {
        return new Message(name);
    }

    public Message text(int number, String field) {
        return add(number, field, Type.TEXT);
    }

    Message texts(int number, String field) {
        return add(number, field, Type.TEXTS);
    }

    public Message number(int number, String field) {
        return add(number, field, Type.NUMBER);
    }

    Message bool(int number, String field) {
        return add(number, field, Type.BOOL);
    }

    public Message message(int number, String field) {
        return add(number, field, Type.MESSAGE);
    }

    public Message messages(int number, String field) {
        return add(number, field, Type.MESSAGES);
    }

    Message map(int number, String field) {
        return add(number, field, Type.MAP);
    }

    Message scalar(int number, String field) {
        return add(number, field, Type.SCALAR);
    }

    private Message add(int number, String field, Type type) {
        boolean varint = type == Type.NUMBER || type == Type.BOOL;
        Entry entry = new Entry(field, number << 3 | (varint ? VARINT : BYTES), type);
        entries.add(entry);
        byNumber = Arrays.copyOf(byNumber, Math.max(byNumber.length, number + 1));
        byNumber[number] = entry;
        return this;
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
