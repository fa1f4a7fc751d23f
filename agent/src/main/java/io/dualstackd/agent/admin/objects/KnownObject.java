package io.dualstackd.agent.admin.objects;

import io.dualstackd.kubeapi.print.OutputValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
        ObjectKind kind,
        String namespace,
        String name,
        Optional<Instant> created,
        OutputValue.Fields object,
        boolean whole) {
    /** An object of which all fields are known. */
    KnownObject(ObjectKind kind, String namespace, String name, Optional<Instant> created, OutputValue.Fields object) {
        this(kind, namespace, name, created, object, true);
    }

    /** The value at this path; empty when there is none. */
    Optional<OutputValue> at(String... path) {
        return at(object, path);
    }

    /** The text or number at this path; empty text when there is none. */
    String text(String... path) {
        return text(object, path);
    }

    /** The items of the list at this path. */
    List<OutputValue> items(String... path) {
        return items(object, path);
    }

    static Optional<OutputValue> at(OutputValue top, String... path) {
        OutputValue value = top;
        for (String name : path) {
            OutputValue next =
                    value instanceof OutputValue.Fields(Map<String, OutputValue> entries) ? entries.get(name) : null;
            if (next == null) {
                return Optional.empty();
            }
            value = next;
        }
        return Optional.of(value);
    }

    static String text(OutputValue top, String... path) {
        return at(top, path).map(KnownObject::word).orElse("");
    }

    static List<OutputValue> items(OutputValue top, String... path) {
        return at(top, path).orElse(top) instanceof OutputValue.Items(List<OutputValue> values) ? values : List.of();
    }

    /** A single value as it is written. */
    static String word(OutputValue value) {
        return switch (value) {
            case OutputValue.Text(String text) -> text;
            case OutputValue.Whole(long number) -> Long.toString(number);
            case OutputValue.Truth(boolean truth) -> Boolean.toString(truth);
            case OutputValue.Fields ignored -> "";
            case OutputValue.Items ignored -> "";
        };
    }

    /** The single values of a list, as they are written. */
    List<String> words(String... path) {
        return items(path).stream().map(KnownObject::word).toList();
    }
}
