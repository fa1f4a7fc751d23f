package io.dualstackd.kubeapi.print;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table for people, as {@code kubectl get} prints it. */
public final class TextTable {
    private TextTable() {}

    /**
     * Columns as wide as their widest cell, three blanks between them, none at the end of a line.
     *
     * @param rows of equal length, the heading first; an empty cell is shown as {@code -}
     */
    public static String print(List<List<String>> rows) {
        int columns = rows.isEmpty() ? 0 : rows.getFirst().size();
        int[] widths = IntStream.range(0, columns)
                .map(column -> rows.stream()
                        .mapToInt(row -> cell(row, column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, columns)
                                .mapToObj(column -> padded(cell(row, column), widths[column]))
                                .collect(Collectors.joining("   "))
                                .stripTrailing()
                        + "\n")
                .collect(Collectors.joining());
    }

    private static String cell(List<String> row, int column) {
        return row.get(column).isEmpty() ? "-" : Problem.shown(row.get(column));
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
