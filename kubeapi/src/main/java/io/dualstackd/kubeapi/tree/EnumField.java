package io.dualstackd.kubeapi.tree;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads fields that hold one of a few words; the words are the texts of an enum's constants. */
public final class EnumField {
    private EnumField() {}

    /** The constant that {@code name} of {@code owner} has as its value; empty when absent or not a constant, which is noted. */
    public static <E extends Enum<E>> Optional<E> of(Field owner, String name, Class<E> type) {
        return owner.field(name).flatMap(field -> of(field, type));
    }

    /** The constant that a field has as its value; empty when it is none, which is noted. */
    public static <E extends Enum<E>> Optional<E> of(Field field, Class<E> type) {
        Optional<String> text = field.asText().filter(t -> !t.isEmpty());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        E[] all = type.getEnumConstants();
        Optional<E> found =
                Arrays.stream(all).filter(e -> e.toString().equals(text.get())).findFirst();
        if (found.isEmpty()) {
            String words = Arrays.stream(all).map(Object::toString).collect(Collectors.joining(", "));
            field.refuse("must be one of " + words);
        }
        return found;
    }
}
