package io.dualstackd.kubeapi.tree;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a YAML or JSON document and the line it starts on. Subtrees may be shared (YAML aliases) but there are no cycles. */
public sealed interface Tree {
    /** The line in the file, counted from 1. */
    int line();

    /** The type in words, for messages: {@code a list}, {@code a number} … */
    String kind();

    /** True for a scalar of this type. */
    default boolean is(Type type) {
        return this instanceof Scalar scalar && scalar.type() == type;
    }

    /** Keys in the order of the text; a key occurs once. */
    record Mapping(Map<String, Tree> entries, int line) implements Tree {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** The same with another list under {@code key}. */
        Mapping with(String key, List<Tree> list) {
            Map<String, Tree> changed = new LinkedHashMap<>(entries);
            changed.computeIfPresent(key, (name, tree) -> new Sequence(list, tree.line()));
            return new Mapping(changed, line);
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
