package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An object in force.
 *
 * @param namespace empty for kinds outside namespaces
 * @param created empty when not known
 * @param object the fields that are known
 * @param whole whether these are all of its fields, so that it can be printed as an object
 */
record KnownObject(
        ObjectKind kind, String namespace, String name, Optional<Instant> created, Tree.Mapping object, boolean whole) {
    /** An object of which all fields are known. */
    KnownObject(ObjectKind kind, String namespace, String name, Optional<Instant> created, Tree.Mapping object) {
        this(kind, namespace, name, created, object, true);
    }

    /** The same with the time since which it is there. */
    KnownObject since(Optional<Instant> time) {
        return new KnownObject(kind, namespace, name, time, object, whole);
    }

    /** The value at this path; empty when there is none. */
    Optional<Tree> at(String... path) {
        return at(object, path);
    }

    /** The text or number at this path; empty text when there is none. */
    String text(String... path) {
        return text(object, path);
    }

    /** The items of the list at this path. */
    List<Tree> items(String... path) {
        return items(object, path);
    }

    static Optional<Tree> at(Tree top, String... path) {
        Tree value = top;
        for (String name : path) {
            Tree next =
                    value instanceof Tree.Mapping mapping ? mapping.entries().get(name) : null;
            if (next == null) {
                return Optional.empty();
            }
            value = next;
        }
        return Optional.of(value);
    }

    static String text(Tree top, String... path) {
        return at(top, path).map(KnownObject::word).orElse("");
    }

    static List<Tree> items(Tree top, String... path) {
        return at(top, path).orElse(top) instanceof Tree.Sequence(List<Tree> values, int line) ? values : List.of();
    }

    /** A single value as it is written. */
    static String word(Tree value) {
        return value instanceof Tree.Scalar scalar ? scalar.text() : "";
    }

    /** The single values of a list, as they are written. */
    List<String> words(String... path) {
        return items(path).stream().map(KnownObject::word).toList();
    }
}
