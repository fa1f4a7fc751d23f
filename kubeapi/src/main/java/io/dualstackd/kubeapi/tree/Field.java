package io.dualstackd.kubeapi.tree;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A value together with its path; its accessors note a problem when the value is of another type than requested.
 *
 * <p>A {@code null} in the text counts as absent everywhere, as in Kubernetes.
 *
 * @param path from the top of the document: {@code spec.ports[1].nodePort}; empty for the document itself
 */
public record Field(Tree tree, String path, ProblemCollector problemCollector) {
    /** The value of {@code name}, when this is an object that contains it. */
    public Optional<Field> field(String name) {
        if (!(tree instanceof Tree.Mapping mapping)) {
            return Optional.empty();
        }
        Tree value = mapping.entries().get(name);
        if (value == null || value.is(Tree.Type.NULL)) {
            return Optional.empty();
        }
        return Optional.of(new Field(value, path.isEmpty() ? name : path + "." + name, problemCollector));
    }

    /** The object under {@code name}; empty when absent or not an object, which is noted. */
    public Optional<Field> object(String name) {
        return field(name).filter(Field::isObject);
    }

    /** The items of the list under {@code name}; empty when absent or not a list, which is noted. */
    public List<Field> items(String name) {
        return field(name).map(Field::asItems).orElse(List.of());
    }

    /** The items of the list under {@code name} that are objects; others are noted. */
    public List<Field> objects(String name) {
        return items(name).stream().filter(Field::isObject).toList();
    }

    /** The text under {@code name}; empty when absent or not a text, which is noted. */
    public Optional<String> text(String name) {
        return field(name).flatMap(Field::asText);
    }

    /** As {@link #text}, with {@code ""} for absent. */
    public String textOrEmpty(String name) {
        return text(name).orElse("");
    }

    /** The texts of the list under {@code name}, each with its place. */
    public List<Field> texts(String name) {
        return items(name).stream().filter(item -> item.asText().isPresent()).toList();
    }

    /** The truth value under {@code name}; empty when absent or of another kind, which is noted. */
    public Optional<Boolean> bool(String name) {
        return field(name).flatMap(Field::asBool);
    }

    /** The number under {@code name}; empty when absent, not a number or outside the bounds, which is noted. */
    public OptionalInt number(String name, int min, int max) {
        return field(name).map(f -> f.asNumber(min, max)).orElse(OptionalInt.empty());
    }

    /** Notes every key that is not in {@code known} as unknown. */
    public void unknownBeyond(Set<String> known) {
        if (tree instanceof Tree.Mapping mapping) {
            for (String key : mapping.entries().keySet()) {
                if (!known.contains(key)) {
                    problemCollector.unknown(
                            mapping.keyLine(key),
                            path.isEmpty() ? key : path + "." + key,
                            Suggestion.to(key, known)
                                    .map(name -> "; did you mean " + name + "?")
                                    .orElse(""));
                }
            }
        }
    }

    public boolean isObject() {
        return wants(tree instanceof Tree.Mapping, "an object");
    }

    public List<Field> asItems() {
        if (!wants(tree instanceof Tree.Sequence, "a list")) {
            return List.of();
        }
        List<Field> fields = new ArrayList<>();
        for (Tree item : ((Tree.Sequence) tree).items()) {
            fields.add(new Field(item, path + "[" + fields.size() + "]", problemCollector));
        }
        return fields;
    }

    public Optional<String> asText() {
        return wants(tree.is(Tree.Type.TEXT), "a text") ? Optional.of(raw()) : Optional.empty();
    }

    public Optional<Boolean> asBool() {
        return wants(tree.is(Tree.Type.BOOLEAN), "true or false")
                ? Optional.of(raw().equalsIgnoreCase("true"))
                : Optional.empty();
    }

    public OptionalInt asNumber(int min, int max) {
        if (!wants(tree.is(Tree.Type.WHOLE_NUMBER), "a whole number")) {
            return OptionalInt.empty();
        }
        Optional<BigInteger> number = WholeNumbers.exact(tree);
        boolean inside = number.isPresent()
                && number.get().compareTo(BigInteger.valueOf(min)) >= 0
                && number.get().compareTo(BigInteger.valueOf(max)) <= 0;
        if (!inside) {
            refuse("must be " + min + " to " + max);
            return OptionalInt.empty();
        }
        return OptionalInt.of(number.get().intValueExact());
    }

    /** The scalar as written; empty for lists and objects. */
    public String raw() {
        return tree instanceof Tree.Scalar scalar ? scalar.text() : "";
    }

    /** Notes that this value breaks {@code rule}, as an error; the object is not used. */
    public void refuse(String rule) {
        problemCollector.refuse(tree.line(), path, raw(), rule);
    }

    /** Notes that a value {@code name} is missing here. */
    public void refuseMissing(String name, String rule) {
        problemCollector.refuse(tree.line(), path.isEmpty() ? name : path + "." + name, "", rule);
    }

    /** Notes a warning; the value is accepted. */
    public void warn(String rule) {
        problemCollector.warn(tree.line(), path, raw(), rule);
    }

    private boolean wants(boolean fits, String kind) {
        if (!fits) {
            refuse("must be " + kind + ", not " + tree.kind());
        }
        return fits;
    }
}
