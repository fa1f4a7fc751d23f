package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Adds to an object the fields that an API server sets when it stores it. */
final class StoredTree {
    /** The approximate maximum size of a request to an API server. */
    static final int MAX_CHARACTERS = 1_500_000;

    /** The maximum size as JSON: less than a record of the journal has, because a repair may add to an object that is stored. */
    static final int MAX_BYTES = 8_000_000;

    /** A character takes at most 6 bytes, and a value at most 8 with its quotes, its colon and its comma. */
    private static final int MAX_BYTES_COUNTED_ONCE = 8;

    private static final String UID = "uid";
    private static final String CREATED = "creationTimestamp";
    private static final String VERSION = "resourceVersion";

    private StoredTree() {}

    /** Returns a new object. */
    static Tree.Mapping created(Tree.Mapping object, ObjectKey key, String uid, Instant now, long version) {
        return stamped(
                object, key, text(uid), text(now.truncatedTo(ChronoUnit.SECONDS).toString()), version(version));
    }

    /** The uid of a stored object; empty when it has none. */
    static String uid(Tree.Mapping object) {
        return metadata(object).get(UID) instanceof Tree.Scalar uid ? uid.text() : "";
    }

    /** Returns the object written again; equal to {@code before} when nothing else is different. */
    static Tree.Mapping again(Tree.Mapping object, ObjectKey key, Tree.Mapping before, long version) {
        Map<String, Tree> old = metadata(before);
        Tree.Mapping same = stamped(object, key, known(old, UID), known(old, CREATED), known(old, VERSION));
        return same.equals(before)
                ? before
                : stamped(object, key, known(old, UID), known(old, CREATED), version(version));
    }

    private static Tree known(Map<String, Tree> metadata, String name) {
        return Optional.ofNullable(metadata.get(name)).orElseGet(() -> text(""));
    }

    private static Tree.Mapping stamped(Tree.Mapping object, ObjectKey key, Tree uid, Tree created, Tree version) {
        Map<String, Tree> metadata = new LinkedHashMap<>(metadata(object));
        metadata.put("name", text(key.name()));
        metadata.put("namespace", text(key.namespace()));
        metadata.put(UID, uid);
        metadata.put(CREATED, created);
        metadata.put(VERSION, version);
        Map<String, Tree> entries = new LinkedHashMap<>();
        entries.put("apiVersion", text(key.kind().apiVersion()));
        entries.put("kind", text(key.kind().toString()));
        entries.put("metadata", new Tree.Mapping(metadata, 0));
        object.entries().forEach(entries::putIfAbsent);
        return new Tree.Mapping(entries, 0);
    }

    private static Map<String, Tree> metadata(Tree.Mapping object) {
        return object.entries().get("metadata") instanceof Tree.Mapping metadata ? metadata.entries() : Map.of();
    }

    private static Tree text(String text) {
        return new Tree.Scalar(text, Tree.Type.TEXT, 0);
    }

    private static Tree version(long version) {
        return text(Long.toString(version));
    }

    /** Whether the object is too large to be kept. A text that refers to one value a million times counts as if it were written out. */
    static boolean isTooLarge(Tree.Mapping object) {
        return rest(object, MAX_CHARACTERS) < 0;
    }

    /** Whether the object, as it is stored, takes more bytes than a record may have. Only a large one is measured. */
    static boolean isTooLong(Tree.Mapping stored) {
        return rest(stored, MAX_BYTES / MAX_BYTES_COUNTED_ONCE) < 0 && JsonPrint.size(stored) > MAX_BYTES;
    }

    private static int rest(Tree tree, int room) {
        int left = room - 1;
        switch (tree) {
            case Tree.Mapping mapping -> {
                for (Map.Entry<String, Tree> entry : mapping.entries().entrySet()) {
                    left = left < 0
                            ? left
                            : rest(entry.getValue(), left - entry.getKey().length());
                }
            }
            case Tree.Sequence sequence -> {
                for (Tree item : sequence.items()) {
                    left = left < 0 ? left : rest(item, left);
                }
            }
            case Tree.Scalar scalar -> left -= scalar.text().length();
        }
        return left;
    }
}
