package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fingerprint of the text an object comes from, in an annotation of it. A file is read again at every start, and an unchanged text is not
 * a write: {@code ipFamilies: [IPv6]} with {@code PreferDualStack} becomes two families, and written once more would ask to release one,
 * which is refused.
 */
public final class WrittenAs {
    static final String ANNOTATION = "dualstackd.io/written-as";

    private static final int BYTES = 12;

    private WrittenAs() {}

    /** Puts the fingerprint into an object that is still as it was written. */
    static void sign(Draft object) {
        String fingerprint = fingerprint(unsigned(object.tree()));
        Draft metadata = object.object(Metadata.PATH);
        Draft annotations = metadata.object("annotations");
        annotations.put(ANNOTATION, fingerprint);
        metadata.put("annotations", annotations);
        object.put(Metadata.PATH, metadata);
    }

    /** The object without a fingerprint. */
    public static Tree.Mapping unsigned(Tree.Mapping object) {
        Draft draft = new Draft(object);
        Draft metadata = draft.object(Metadata.PATH);
        Draft annotations = metadata.object("annotations");
        annotations.remove(ANNOTATION);
        if (annotations.isEmpty()) {
            metadata.remove("annotations");
        } else {
            metadata.put("annotations", annotations);
        }
        draft.put(Metadata.PATH, metadata);
        return draft.tree();
    }

    /** Whether both objects come from the same text. */
    static boolean same(Draft object, Draft other) {
        String fingerprint = of(object);
        return !fingerprint.isEmpty() && fingerprint.equals(of(other));
    }

    private static String of(Draft object) {
        return object.object(Metadata.PATH).object("annotations").text(ANNOTATION);
    }

    private static String fingerprint(Tree.Mapping object) {
        StringBuilder text = new StringBuilder();
        append(object, text);
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Appends a tree. Lengths are included, so that no two trees have the same text. The order of keys does not matter. */
    private static void append(Tree tree, StringBuilder text) {
        switch (tree) {
            case Tree.Mapping mapping -> {
                Map<String, Tree> sorted = new TreeMap<>(mapping.entries());
                text.append('{').append(sorted.size()).append(':');
                sorted.forEach((key, value) -> {
                    text.append(key.length()).append(':').append(key);
                    append(value, text);
                });
            }
            case Tree.Sequence sequence -> {
                text.append('[').append(sequence.items().size()).append(':');
                sequence.items().forEach(item -> append(item, text));
            }
            case Tree.Scalar scalar ->
                text.append(scalar.type().name().charAt(0))
                        .append(scalar.text().length())
                        .append(':')
                        .append(scalar.text());
        }
    }
}
