package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.WholeNumbers;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mutable fields of an object during admission. A field that is absent, {@code null} or of another kind than requested reads as empty,
 * as 0, as {@code ""}; trees made from it have no line numbers, so that trees of the same content are equal.
 */
final class Draft {
    private final Map<String, Tree> entries = new LinkedHashMap<>();

    Draft(Tree.Mapping tree) {
        entries.putAll(tree.entries());
    }

    /** The object under {@code name}, empty when there is none; changes of it have no effect here until it is {@linkplain #put put} back. */
    Draft object(String name) {
        return get(name) instanceof Tree.Mapping mapping ? new Draft(mapping) : new Draft(NOTHING);
    }

    private static final Tree.Mapping NOTHING = new Tree.Mapping(Map.of(), 0);
    private static final Tree NULL = new Tree.Scalar("", Tree.Type.NULL, 0);

    /** The value under {@code name}; a {@code null} scalar when it is absent. */
    Tree get(String name) {
        return entries.getOrDefault(name, NULL);
    }

    boolean has(String name) {
        return !get(name).is(Tree.Type.NULL);
    }

    String text(String name) {
        return get(name) instanceof Tree.Scalar(String text, Tree.Type type, int line) && type == Tree.Type.TEXT
                ? text
                : "";
    }

    int number(String name) {
        return WholeNumbers.of(get(name)).orElse(0);
    }

    Optional<Boolean> bool(String name) {
        return get(name) instanceof Tree.Scalar(String text, Tree.Type type, int line) && type == Tree.Type.BOOLEAN
                ? Optional.of(text.equalsIgnoreCase("true"))
                : Optional.empty();
    }

    List<Tree> items(String name) {
        return get(name) instanceof Tree.Sequence(List<Tree> items, int line) ? items : List.of();
    }

    /** The texts of a list; other items are left out. */
    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Tree item : items(name)) {
            if (item instanceof Tree.Scalar(String text, Tree.Type type, int line) && type == Tree.Type.TEXT) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** The objects of a list; other items are empty objects, so that positions stay. */
    List<Draft> objects(String name) {
        List<Draft> objects = new ArrayList<>();
        for (Tree item : items(name)) {
            objects.add(new Draft(item instanceof Tree.Mapping mapping ? mapping : NOTHING));
        }
        return objects;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Map<String, Tree> entries() {
        return entries;
    }

    void put(String name, Tree tree) {
        entries.put(name, tree);
    }

    void put(String name, Draft object) {
        entries.put(name, object.tree());
    }

    void put(String name, String text) {
        entries.put(name, scalar(text));
    }

    void put(String name, int number) {
        entries.put(name, new Tree.Scalar(Integer.toString(number), Tree.Type.WHOLE_NUMBER, 0));
    }

    void put(String name, boolean value) {
        entries.put(name, new Tree.Scalar(Boolean.toString(value), Tree.Type.BOOLEAN, 0));
    }

    void putTexts(String name, List<String> texts) {
        entries.put(
                name,
                new Tree.Sequence(List.copyOf(texts.stream().map(Draft::scalar).toList()), 0));
    }

    void putObjects(String name, List<Draft> objects) {
        List<Tree> items = new ArrayList<>();
        objects.forEach(object -> items.add(object.tree()));
        entries.put(name, new Tree.Sequence(items, 0));
    }

    /** Removes an empty text, an empty list and a 0. */
    void removeEmpty(String name) {
        boolean empty = switch (get(name)) {
            case Tree.Scalar scalar ->
                scalar.type() == Tree.Type.NULL
                        || (scalar.type() == Tree.Type.TEXT && scalar.text().isEmpty())
                        || (scalar.type() == Tree.Type.WHOLE_NUMBER
                                && WholeNumbers.exact(scalar)
                                        .filter(BigInteger.ZERO::equals)
                                        .isPresent());
            case Tree.Sequence sequence -> sequence.items().isEmpty();
            case Tree.Mapping mapping -> false;
        };
        if (empty) {
            remove(name);
        }
    }

    void remove(String name) {
        entries.remove(name);
    }

    private static Tree scalar(String text) {
        return new Tree.Scalar(text, Tree.Type.TEXT, 0);
    }

    Tree.Mapping tree() {
        return new Tree.Mapping(entries, 0);
    }
}
