package io.dualstackd.kubeapi.print;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.WholeNumbers;
import java.util.Map;
import java.util.TreeMap;

/** The form in which an API server returns an object: fields sorted by name, those without a value left out, numbers in decimal. */
public final class TreeOutput {
    private TreeOutput() {}

    public static Tree.Mapping object(Tree.Mapping tree) {
        Map<String, Tree> fields = new TreeMap<>();
        tree.entries().forEach((name, value) -> {
            if (!value.is(Tree.Type.NULL)) {
                fields.put(name, value(value));
            }
        });
        return new Tree.Mapping(fields, 0);
    }

    private static Tree value(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> object(mapping);
            case Tree.Sequence sequence ->
                Tree.of(sequence.items().stream().map(TreeOutput::value).toList());
            case Tree.Scalar(String text, Tree.Type type, int line) ->
                switch (type) {
                    case WHOLE_NUMBER ->
                        WholeNumbers.exact(tree)
                                .filter(number -> number.bitLength() < Long.SIZE)
                                .<Tree>map(number -> Tree.of(number.longValue()))
                                .orElseGet(() -> Tree.of(text));
                    case BOOLEAN -> Tree.of(text.equalsIgnoreCase("true"));
                    case TEXT, FRACTION, NULL -> Tree.of(text);
                };
        };
    }
}
