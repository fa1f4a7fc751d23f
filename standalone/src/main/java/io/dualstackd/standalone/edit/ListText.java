package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.TreeOutput;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.ItemRanges;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The text of a document that is a List, of which single items are changed.
 *
 * @param text of the document
 * @param ranges where its items stand
 */
record ListText(String text, ItemRanges ranges) {
    static Optional<ListText> of(String text) {
        return ItemRanges.of(text).map(ranges -> new ListText(text, ranges));
    }

    /** An item as a document of its own, with the comments above it. */
    String item(int index) {
        ItemRanges.Range range = ranges.ranges().get(index);
        if (ranges.flow()) {
            return ended(text.substring(range.start(), range.end()));
        }
        int head = head(index);
        int dash = dash(index);
        String comments = dedented(text.substring(head, dash), ranges.column());
        String first = text.substring(range.start(), end(index));
        String between =
                text.substring(text.indexOf('-', dash) + 1, range.start()).strip();
        return comments + (between.isEmpty() ? "" : between + "\n") + dedented(first, range.column());
    }

    /**
     * The text with other items.
     *
     * @param changes by index; empty to remove the item
     * @return empty when no item is left
     */
    Optional<String> with(Map<Integer, Optional<String>> changes) {
        int last = ranges.ranges().size() - 1;
        while (last >= 0 && isRemoved(last, changes)) {
            last--;
        }
        if (last < 0) {
            return Optional.empty();
        }
        StringBuilder result = new StringBuilder(text);
        for (Map.Entry<Integer, Optional<String>> change :
                new TreeMap<>(changes).descendingMap().entrySet()) {
            int index = change.getKey();
            int from = ranges.flow() ? ranges.ranges().get(index).start() : head(index);
            int to = ranges.flow() ? ranges.ranges().get(index).end() : end(index);
            if (change.getValue().isPresent()) {
                String fresh = change.getValue().get();
                result.replace(from, to, ranges.flow() ? inBrackets(fresh) : withDash(fresh));
            } else if (!ranges.flow()) {
                result.delete(from, to);
            } else if (index < last) {
                result.delete(from, ranges.ranges().get(index + 1).start());
            } else {
                // A comma that is left is no item in YAML, but is wrong in JSON.
                result.delete(text.indexOf(',', ranges.ranges().get(index - 1).end()), to);
            }
        }
        return Optional.of(result.toString());
    }

    private static boolean isRemoved(int index, Map<Integer, Optional<String>> changes) {
        return changes.getOrDefault(index, Optional.of("")).isEmpty();
    }

    /** The comments that stand above the old item, unless the new text has its own. */
    String keepingHead(int index, String fresh) {
        return ranges.flow()
                ? fresh
                : FileText.keepingHead(dedented(text.substring(head(index), dash(index)), ranges.column()), fresh);
    }

    /** Where the line with the dash of an item begins. */
    private int dash(int index) {
        ItemRanges.Range range = ranges.ranges().get(index);
        int from = index == 0 ? 0 : ranges.ranges().get(index - 1).start();
        int line = lineOf(range.start());
        while (line > from && !isDash(line)) {
            line = lineOf(line - 1);
        }
        return line;
    }

    private boolean isDash(int line) {
        int at = line + ranges.column();
        return at < text.length()
                && text.charAt(at) == '-'
                && text.substring(line, at).isBlank();
    }

    private int lineOf(int offset) {
        return FileText.lineOf(text, offset);
    }

    /** Where the comments and blank lines above the dash of an item begin: those of the item before it are indented further. */
    private int head(int index) {
        int line = dash(index);
        int limit = index == 0
                ? lineOf(lastKey(line))
                : ranges.ranges().get(index - 1).start();
        while (line > limit) {
            int above = lineOf(line - 1);
            if (above <= limit || !isOutside(text.substring(above, line))) {
                break;
            }
            line = above;
        }
        return line;
    }

    /** The key {@code items} before the first dash. */
    private int lastKey(int line) {
        return Math.max(0, text.lastIndexOf("items", line));
    }

    /** Where the text of an item ends, without the comments of what follows. */
    private int end(int index) {
        if (index + 1 < ranges.ranges().size()) {
            return head(index + 1);
        }
        int next = ranges.ranges().get(index).end();
        int line = lineOf(next);
        if (!text.substring(line, next).isBlank()) {
            // In brackets, or at the end of the text.
            return FileText.lineAfter(text, next);
        }
        int begin = ranges.ranges().get(index).start();
        while (line > begin) {
            int above = lineOf(line - 1);
            if (above <= begin || !isOutside(text.substring(above, line))) {
                break;
            }
            line = above;
        }
        return line;
    }

    private boolean isOutside(String line) {
        String rest = line.stripLeading();
        return rest.isEmpty() || (rest.startsWith("#") && line.length() - rest.length() <= ranges.column());
    }

    private String withDash(String item) {
        String indent = " ".repeat(ranges.column());
        StringBuilder result = new StringBuilder();
        boolean dash = true;
        for (String line : item.lines().toList()) {
            boolean comment = line.isBlank() || line.startsWith("#");
            if (dash && comment) {
                result.append(line.isBlank() ? "" : indent).append(line);
            } else {
                result.append(line.isBlank() ? "" : indent + (dash ? "- " : "  "))
                        .append(line);
                dash = false;
            }
            result.append('\n');
        }
        Optional<Tree.Mapping> given = single(item);
        Optional<Tree> read = Trees.of("items:\n" + result)
                .only()
                .flatMap(list -> list.entries().get("items") instanceof Tree.Sequence sequence
                                && sequence.items().size() == 1
                        ? Optional.of(sequence.items().getFirst())
                        : Optional.empty());
        boolean same = given.isPresent()
                && read.filter(tree -> tree instanceof Tree.Mapping mapping
                                && TreeOutput.object(mapping).equals(TreeOutput.object(given.get())))
                        .isPresent();
        return same || given.isEmpty() ? result.toString() : withDash(YamlPrint.of(TreeOutput.object(given.get())));
    }

    private static String inBrackets(String item) {
        String bare = item.strip();
        return bare.startsWith("{") && bare.endsWith("}")
                ? bare
                : single(item)
                        .map(tree -> JsonPrint.indented(TreeOutput.object(tree)).strip())
                        .orElse(bare);
    }

    private static Optional<Tree.Mapping> single(String item) {
        return Trees.of(item).only();
    }

    /** Without so many blanks at the start of each line. */
    private static String dedented(String block, int columns) {
        return ended(block.lines()
                .map(line -> line.substring(
                        Math.min(columns, line.length() - line.stripLeading().length())))
                .collect(Collectors.joining("\n")));
    }

    private static String ended(String text) {
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    /** The changed documents of a file: their new texts, without those of which nothing is left. */
    static Map<FileText.Piece, Optional<String>> bodies(Map<FileText.Piece, Map<Integer, Optional<String>>> changes) {
        return changes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        change -> of(change.getKey().body()).flatMap(list -> list.with(change.getValue()))));
    }
}
