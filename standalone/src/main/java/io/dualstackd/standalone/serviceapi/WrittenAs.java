package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * What text an object comes from, as a fingerprint in an annotation of it. A file is read again at every start, and a text that is as it
 * was is no write: {@code ipFamilies: [IPv6]} with {@code PreferDualStack} becomes two families, and written once more would ask to give
 * one back, which is refused.
 */
public final class WrittenAs {
    static final String ANNOTATION = "dualstackd.io/written-as";

    private static final int BYTES = 12;

    private WrittenAs() {}

    /** Puts the fingerprint into the object that is still as it was written. */
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

    /** Whether both come from the same text. */
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

    /** Lengths are part of it, so that no two trees have one text. The order of keys says nothing. */
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
