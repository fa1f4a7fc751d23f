package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.util.ArrayList;
import java.util.List;

/** Builds lists of texts while an object is read. */
public final class Texts {
    private Texts() {}

    /** Returns the list with one more text; most lists stay empty, which costs nothing. */
    static List<String> plus(List<String> list, String text) {
        List<String> grown = list.isEmpty() ? new ArrayList<>(2) : list;
        grown.add(text);
        return grown;
    }

    /** The texts of a list in JSON. */
    static List<String> of(Field owner, String name) {
        return owner.texts(name).stream().map(Field::raw).toList();
    }

    /** The list, or the single value that older objects have instead. */
    static List<String> orSingle(List<String> list, String single) {
        return list.isEmpty() && !single.isEmpty() ? List.of(single) : list;
    }

    /** The number in JSON; 0 when absent or not a number. */
    public static int number(Field owner, String name) {
        return owner.number(name, Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(0);
    }
}
