package io.dualstackd.kubeapi.tree;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value of a YAML or JSON document, as it was read or as it will be written. Subtrees may be shared (YAML aliases) but there are no
 * cycles.
 */
public sealed interface Tree {
    /** The line in the file it starts on, counted from 1; 0 for a value that was not read from a file. */
    int line();

    /** The type in words, for messages: {@code a list}, {@code a number} … */
    String kind();

    /** True for a scalar of this type. */
    default boolean is(Type type) {
        return this instanceof Scalar scalar && scalar.type() == type;
    }

    /** An object without fields. */
    static Mapping object() {
        return new Mapping(Map.of(), 0);
    }

    /** An object with one field, as {@link Mapping#with} takes it. */
    static Mapping object(String name, Object value) {
        return object().with(name, value);
    }

    /**
     * A value to be written.
     *
     * @param value a tree, number, truth value, or collection or map of such; anything else becomes its text
     */
    static Tree of(Object value) {
        return switch (value) {
            case Tree tree -> tree;
            case Map<?, ?> map -> {
                Map<String, Tree> entries = new LinkedHashMap<>();
                map.forEach((name, each) -> entries.put(name.toString(), of(each)));
                yield new Mapping(entries, 0);
            }
            case Collection<?> values ->
                new Sequence(values.stream().map(Tree::of).toList(), 0);
            case Integer number -> new Scalar(number.toString(), Type.WHOLE_NUMBER, 0);
            case Long number -> new Scalar(number.toString(), Type.WHOLE_NUMBER, 0);
            case Double number -> new Scalar(number.toString(), Type.FRACTION, 0);
            case Boolean truth -> new Scalar(truth.toString(), Type.BOOLEAN, 0);
            default -> new Scalar(value.toString(), Type.TEXT, 0);
        };
    }

    /**
     * Keys in the order of the text; a key occurs once.
     *
     * @param keyLines the lines of the keys whose value starts on another line
     */
    record Mapping(Map<String, Tree> entries, int line, Map<String, Integer> keyLines) implements Tree {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            keyLines = Map.copyOf(keyLines);
        }

        public Mapping(Map<String, Tree> entries, int line) {
            this(entries, line, Map.of());
        }

        /** The line of a key that is there. */
        int keyLine(String key) {
            Tree value = entries.get(key);
            return keyLines.getOrDefault(key, value == null ? line : value.line());
        }

        /** The same with a field, at the end if it is new, of a value as {@link Tree#of} takes it; unchanged for an empty optional. */
        public Mapping with(String name, Object value) {
            if (value instanceof Optional<?> optional) {
                return optional.map(present -> with(name, present)).orElse(this);
            }
            Map<String, Tree> more = new LinkedHashMap<>(entries);
            more.put(name, Tree.of(value));
            return new Mapping(more, line, keyLines);
        }

        @Override
        public String kind() {
            return "an object";
        }
    }

    /** Items in order. */
    record Sequence(List<Tree> items, int line) implements Tree {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /**
     * A single value.
     *
     * @param text as written, without quotes
     */
    record Scalar(String text, Type type, int line) implements Tree {
        @Override
        public String kind() {
            return switch (type) {
                case TEXT -> "a text";
                case WHOLE_NUMBER -> "a whole number";
                case FRACTION -> "a fraction";
                case BOOLEAN -> "true or false";
                case NULL -> "null";
            };
        }
    }

    /** The type of a scalar by the core schema of YAML 1.2 (§10.3). */
    enum Type {
        TEXT,
        WHOLE_NUMBER,
        FRACTION,
        BOOLEAN,
        NULL
    }
}
