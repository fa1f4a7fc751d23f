package io.dualstackd.kubeapi.print;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value to be printed as JSON or YAML. */
public sealed interface OutputValue {
    /** An object; the order of its fields is kept. */
    record Fields(Map<String, OutputValue> entries) implements OutputValue {
        public Fields {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** The same with one more field at the end. */
        public Fields with(String name, OutputValue value) {
            Map<String, OutputValue> more = new LinkedHashMap<>(entries);
            more.put(name, value);
            return new Fields(more);
        }

        public Fields with(String name, String value) {
            return with(name, new Text(value));
        }

        /** The same with one more field at the end, or unchanged when the value is empty. */
        public Fields with(String name, Optional<String> value) {
            return value.map(text -> with(name, text)).orElse(this);
        }

        public Fields with(String name, long value) {
            return with(name, new Whole(value));
        }

        public Fields with(String name, boolean value) {
            return with(name, new Truth(value));
        }

        public Fields with(String name, Collection<? extends OutputValue> values) {
            return with(name, new Items(List.copyOf(values)));
        }

        /** As {@link #with(String, Collection)}, of texts. */
        public Fields withTexts(String name, Collection<String> values) {
            return with(name, values.stream().map(Text::new).toList());
        }
    }

    /** A list. */
    record Items(List<OutputValue> values) implements OutputValue {
        public Items {
            values = List.copyOf(values);
        }
    }

    /** A string. */
    record Text(String value) implements OutputValue {}

    /** A whole number. */
    record Whole(long value) implements OutputValue {}

    /** {@code true} or {@code false}. */
    record Truth(boolean value) implements OutputValue {}

    /** An object without fields. */
    static Fields object() {
        return new Fields(Map.of());
    }

    /** Returns it as JSON, indented, ended by a newline. */
    default String json() {
        return JsonPrint.of(this);
    }

    /** Returns it as YAML in block style, without a document marker, ended by a newline. */
    default String yaml() {
        return YamlPrint.of(this);
    }
}
