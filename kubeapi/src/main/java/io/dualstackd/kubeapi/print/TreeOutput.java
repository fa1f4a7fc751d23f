package io.dualstackd.kubeapi.print;

import io.dualstackd.kubeapi.tree.Tree;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/** Converts trees to values to be printed: fields sorted by name, those without a value left out, as an API server returns them. */
public final class TreeOutput {
    private TreeOutput() {}

    public static OutputValue.Fields object(Tree.Mapping tree) {
        Map<String, OutputValue> fields = new TreeMap<>();
        tree.entries().forEach((name, value) -> {
            if (!value.is(Tree.Type.NULL)) {
                fields.put(name, value(value));
            }
        });
        return new OutputValue.Fields(fields);
    }

    private static OutputValue value(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> object(mapping);
            case Tree.Sequence sequence ->
                new OutputValue.Items(
                        sequence.items().stream().map(TreeOutput::value).toList());
            case Tree.Scalar scalar -> scalar(scalar);
        };
    }

    private static OutputValue scalar(Tree.Scalar scalar) {
        return switch (scalar.type()) {
            case WHOLE_NUMBER -> whole(scalar.text());
            case BOOLEAN -> new OutputValue.Truth(scalar.text().equalsIgnoreCase("true"));
            case TEXT, FRACTION, NULL -> new OutputValue.Text(scalar.text());
        };
    }

    private static OutputValue whole(String text) {
        try {
            return new OutputValue.Whole(
                    text.startsWith("0x")
                            ? Long.parseLong(text.substring(2), 16)
                            : text.startsWith("0o")
                                    ? Long.parseLong(text.substring(2), 8)
                                    : new BigInteger(text).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return new OutputValue.Text(text);
        }
    }
}
