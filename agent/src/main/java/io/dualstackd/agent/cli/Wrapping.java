package io.dualstackd.agent.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Breaks the lines of a report that are longer than a terminal is wide; what follows stands below the column or value it belongs to. */
final class Wrapping {
    /** Narrower terminals are treated as one of this width. */
    private static final int LEAST = 40;

    private static final Pattern HEADING = Pattern.compile("\\s*[A-Z][A-Z0-9()/ -]*(?:  +[A-Z][A-Z0-9()/ -]*)+");
    private static final Pattern RULE = Pattern.compile("\\s*-{3,}(?:  +-{3,})+");
    private static final Pattern CELL = Pattern.compile("\\S+(?: \\S+)*");
    /** A word, with the comma after which a line may break. */
    private static final Pattern PIECE = Pattern.compile(" ?[^ ,]*,| ?[^ ,]+| ");
    /** The name before a value, as {@code status} and {@code describe} print it. */
    private static final Pattern LABEL = Pattern.compile("\\s*\\S+(?: \\S+)*\\s{2,}(?=\\S)|\\s*- ");

    private final int width;
    private final List<String> lines;
    private final StringBuilder out = new StringBuilder();

    private Wrapping(String text, int width) {
        this.width = Math.max(LEAST, width);
        this.lines = text.lines().toList();
    }

    /** The text with lines of at most this many characters, as far as words allow. */
    static String of(String text, int width) {
        return new Wrapping(text, width).wrapped();
    }

    private String wrapped() {
        for (int i = 0; i < lines.size(); ) {
            boolean heading = HEADING.matcher(lines.get(i)).matches()
                    || (i + 1 < lines.size() && RULE.matcher(lines.get(i + 1)).matches());
            i = heading ? table(i) : plain(i);
        }
        return out.toString();
    }

    private int plain(int index) {
        String line = lines.get(index);
        if (line.length() <= width) {
            out.append(line).append('\n');
            return index + 1;
        }
        Matcher label = LABEL.matcher(line);
        int indent = label.lookingAt() && label.end() <= width / 2
                ? label.end()
                : line.length() - line.stripLeading().length() + 2;
        List<String> parts = parts(line.substring(indent), width - indent);
        out.append(line, 0, indent).append(parts.getFirst()).append('\n');
        parts.stream()
                .skip(1)
                .forEach(part -> out.append(" ".repeat(indent)).append(part).append('\n'));
        return index + 1;
    }

    /** Prints the table that begins with this line; returns the line after it. */
    private int table(int from) {
        List<Integer> starts = new ArrayList<>();
        CELL.matcher(lines.get(from)).results().forEach(cell -> starts.add(cell.start()));
        int end = from;
        while (end < lines.size() && isRow(lines.get(end), starts)) {
            end++;
        }
        List<String> rows = lines.subList(from, end);
        int first = starts.getFirst();
        if (first > 0
                && rows.stream()
                        .anyMatch(row ->
                                !row.substring(0, Math.min(first, row.length())).isBlank())) {
            starts.addFirst(0);
        }
        if (rows.stream().allMatch(row -> row.length() <= width)) {
            rows.forEach(row -> out.append(row).append('\n'));
        } else {
            print(rows.stream().map(row -> cells(row, starts)).toList(), starts);
        }
        return end;
    }

    private static boolean isRow(String line, List<Integer> starts) {
        return !line.isBlank()
                && starts.stream()
                        .skip(1)
                        .allMatch(start -> line.length() <= start
                                || line.substring(start - 2, start).isBlank());
    }

    private static List<String> cells(String row, List<Integer> starts) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            int to = i + 1 < starts.size() ? Math.min(starts.get(i + 1), row.length()) : row.length();
            cells.add(row.substring(Math.min(starts.get(i), to), to).stripTrailing());
        }
        return cells;
    }

    private void print(List<List<String>> rows, List<Integer> starts) {
        int columns = starts.size();
        int[] widths = new int[columns];
        int[] least = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
                int longest = parts(row.get(i), 1).stream()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
                // A heading is not broken, and neither is a number that stands at the right of its column.
                boolean whole = row.equals(rows.getFirst()) || row.get(i).startsWith(" ");
                least[i] = Math.max(least[i], whole ? row.get(i).length() : longest);
            }
        }
        int[] gaps = new int[columns];
        int total = starts.getFirst();
        for (int i = 0; i < columns; i++) {
            gaps[i] = i == 0 ? starts.getFirst() : starts.get(i) - starts.get(i - 1) - widths[i - 1];
            total += widths[i] + (i == 0 ? 0 : gaps[i]);
        }
        for (int more = total - width; more > 0; more--) {
            int widest = -1;
            for (int i = 0; i < columns; i++) {
                boolean narrows = widths[i] > least[i];
                widest = narrows && (widest < 0 || widths[i] >= widths[widest]) ? i : widest;
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        int left = width;
        for (int i = 0; i < columns; i++) {
            widths[i] = used(rows, i, widths[i]);
            left -= gaps[i] + widths[i];
        }
        // A column may be narrower now than it had to be, because its words are long; the others get the rest.
        for (int i = columns - 1; i >= 0 && left > 0; i--) {
            int before = widths[i];
            widths[i] = used(rows, i, before + left);
            left -= widths[i] - before;
        }
        rows.forEach(row -> print(row, widths, gaps));
    }

    /** The width that a column needs when its cells are broken at this width. */
    private static int used(List<List<String>> rows, int column, int width) {
        return rows.stream()
                .flatMap(row -> parts(row.get(column), Math.max(1, width)).stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private void print(List<String> row, int[] widths, int[] gaps) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(parts(row.get(i), Math.max(1, widths[i])));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(1);
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = at < cells.get(i).size() ? cells.get(i).get(at) : "";
                line.append(" ".repeat(gaps[i]))
                        .append(cell)
                        .append(" ".repeat(Math.max(0, widths[i] - cell.length())));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    /** The text in lines of at most this width, broken at blanks and after commas; longer words stay whole. */
    private static List<String> parts(String text, int width) {
        if (text.length() <= width) {
            return List.of(text);
        }
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (String piece :
                PIECE.matcher(text).results().map(found -> found.group()).toList()) {
            if (!part.isEmpty() && part.length() + piece.length() > width) {
                parts.add(part.toString().stripTrailing());
                part.setLength(0);
            }
            part.append(part.isEmpty() && !parts.isEmpty() ? piece.stripLeading() : piece);
        }
        parts.add(part.toString());
        return parts;
    }
}
