package io.dualstackd.agent.print;

import io.dualstackd.agent.tree.Tree;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/** Trees as values to be printed: fields sorted by name, those without a value left out, as an API server returns them. */
public final class TreeShown {
    private TreeShown() {}

    public static Shown.Fields object(Tree.Mapping tree) {
        Map<String, Shown> fields = new TreeMap<>();
        tree.entries().forEach((name, value) -> {
            if (!value.is(Tree.Type.NULL)) {
                fields.put(name, value(value));
            }
        });
        return new Shown.Fields(fields);
    }

    private static Shown value(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> object(mapping);
            case Tree.Sequence sequence ->
                new Shown.Items(sequence.items().stream().map(TreeShown::value).toList());
            case Tree.Scalar scalar -> scalar(scalar);
        };
    }

    private static Shown scalar(Tree.Scalar scalar) {
        return switch (scalar.type()) {
            case WHOLE_NUMBER -> whole(scalar.text());
            case BOOLEAN -> new Shown.Truth(scalar.text().equalsIgnoreCase("true"));
            case TEXT, FRACTION, NULL -> new Shown.Text(scalar.text());
        };
    }

    private static Shown whole(String text) {
        try {
            return new Shown.Whole(
                    text.startsWith("0x")
                            ? Long.parseLong(text.substring(2), 16)
                            : text.startsWith("0o")
                                    ? Long.parseLong(text.substring(2), 8)
                                    : new BigInteger(text).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return new Shown.Text(text);
        }
    }
}
