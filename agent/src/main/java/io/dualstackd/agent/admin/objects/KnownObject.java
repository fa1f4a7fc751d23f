package io.dualstackd.agent.admin.objects;

import io.dualstackd.agent.print.Shown;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object as it is in force.
 *
 * @param namespace empty for kinds outside namespaces
 * @param created empty when nobody knows
 * @param object as much of it as is known
 * @param whole whether that is all of it, so that it can be printed as an object
 */
record KnownObject(
        ObjectKind kind, String namespace, String name, Optional<Instant> created, Shown.Fields object, boolean whole) {
    /** An object that is known whole. */
    KnownObject(ObjectKind kind, String namespace, String name, Optional<Instant> created, Shown.Fields object) {
        this(kind, namespace, name, created, object, true);
    }

    /** The value at this path; empty when there is none. */
    Optional<Shown> at(String... path) {
        return at(object, path);
    }

    /** The text or number at this path; empty text when there is none. */
    String text(String... path) {
        return text(object, path);
    }

    /** The items of the list at this path. */
    List<Shown> items(String... path) {
        return items(object, path);
    }

    static Optional<Shown> at(Shown top, String... path) {
        Shown value = top;
        for (String name : path) {
            Shown next = value instanceof Shown.Fields(Map<String, Shown> entries) ? entries.get(name) : null;
            if (next == null) {
                return Optional.empty();
            }
            value = next;
        }
        return Optional.of(value);
    }

    static String text(Shown top, String... path) {
        return at(top, path).map(KnownObject::word).orElse("");
    }

    static List<Shown> items(Shown top, String... path) {
        return at(top, path).orElse(top) instanceof Shown.Items(List<Shown> values) ? values : List.of();
    }

    /** A single value as it is written. */
    static String word(Shown value) {
        return switch (value) {
            case Shown.Text(String text) -> text;
            case Shown.Whole(long number) -> Long.toString(number);
            case Shown.Truth(boolean truth) -> Boolean.toString(truth);
            case Shown.Fields ignored -> "";
            case Shown.Items ignored -> "";
        };
    }

    /** The single values of a list, as they are written. */
    List<String> words(String... path) {
        return items(path).stream().map(KnownObject::word).toList();
    }
}
