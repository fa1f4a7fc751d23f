package io.dualstackd.kubeapi.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * YAML as programs print it: objects and lists by indentation, each single value on the line of its key, ASCII characters, no
 * anchors, tags, escapes or values of several lines.
 */
final class BlockText {
    private static final int NONE = -1;

    /** The text is not supported by this reader; has no stack trace, because it does not indicate a mistake. */
    private static final class Unusual extends Exception {
        private static final long serialVersionUID = 1;

        Unusual() {
            super("not plain", null, false, false);
        }
    }

    private final byte[] text;
    private final int end;
    private final Consumer<Tree> items;
    private int at;
    private int line;

    /** Of the current line: its first character that is not a blank; the line is not empty and not a comment. */
    private int indent = NONE;

    private int lineEnd;

    private BlockText(byte[] text, int end, int firstLine, Consumer<Tree> items) {
        this.text = text;
        this.end = end;
        this.line = firstLine - 1;
        this.items = items;
    }

    /** As {@link PlainText#read}. */
    static Optional<Tree> read(byte[] text, int length, int firstLine, Consumer<Tree> items) {
        try {
            return Optional.of(new BlockText(text, length, firstLine, items).document());
        } catch (Unusual e) {
            return Optional.empty();
        }
    }

    private Tree document() throws Unusual {
        nextLine();
        if (indent == 0 && lineEnd - at == 3 && text[at] == '-' && text[at + 1] == '-' && text[at + 2] == '-') {
            nextLine();
        }
        if (indent == NONE) {
            throw new Unusual();
        }
        Tree tree = block(indent, 0, null);
        if (indent != NONE) {
            throw new Unusual();
        }
        return tree;
    }

    /** Goes to the next line with content; {@link #indent} is {@value #NONE} at the end. */
    private void nextLine() throws Unusual {
        if (line >= 0 && indent != NONE) {
            at = lineEnd + 1;
        }
        for (; at < end; at = lineEnd + 1) {
            line++;
            lineEnd = at;
            while (lineEnd < end && text[lineEnd] != '\n') {
                if (text[lineEnd++] == '\t') {
                    throw new Unusual();
                }
            }
            int from = at;
            while (from < lineEnd && text[from] == ' ') {
                from++;
            }
            if (from < lineEnd && text[from] != '#') {
                indent = from - at;
                at = from;
                return;
            }
        }
        indent = NONE;
    }

    private Tree block(int column, int depth, @Nullable Consumer<Tree> items) throws Unusual {
        if (depth >= TreeReader.MAX_DEPTH) {
            throw new Unusual();
        }
        return isItem() ? sequence(column, depth, items) : mapping(column, depth);
    }

    private boolean isItem() {
        return text[at] == '-' && at + 1 < lineEnd && text[at + 1] == ' ';
    }

    private Tree sequence(int column, int depth, @Nullable Consumer<Tree> items) throws Unusual {
        int start = line;
        List<Tree> list = new ArrayList<>();
        while (indent == column && isItem()) {
            int dash = at++;
            while (at < lineEnd && text[at] == ' ') {
                at++;
            }
            if (at == lineEnd || isItem()) {
                throw new Unusual();
            }
            int inner = column + at - dash;
            Tree item;
            if (keyEnd() > 0) {
                indent = inner;
                item = block(inner, depth + 1, null);
            } else {
                item = inline(column);
            }
            if (items == null) {
                list.add(item);
            } else {
                items.accept(item);
            }
        }
        if (indent > column) {
            throw new Unusual();
        }
        return new Tree.Sequence(list, start);
    }

    private Tree mapping(int column, int depth) throws Unusual {
        int start = line;
        Map<String, Tree> entries = new LinkedHashMap<>();
        Map<String, Integer> keyLines = new HashMap<>();
        while (indent == column && !isItem()) {
            int keyLine = line;
            int colon = keyEnd();
            if (colon <= 0) {
                throw new Unusual();
            }
            String key = string(at, colon);
            at = colon + 1;
            while (at < lineEnd && text[at] == ' ') {
                at++;
            }
            boolean list = depth == 0 && key.equals(TreeReader.ITEMS);
            Tree value = at < lineEnd ? inline(column) : below(column, depth, list ? items : null);
            // The full parser has the error message. It refuses the key "<<", too, which is none here.
            if (entries.put(key, value) != null) {
                throw new Unusual();
            }
            if (value.line() != keyLine) {
                keyLines.put(key, keyLine);
            }
        }
        if (indent > column) {
            throw new Unusual();
        }
        return new Tree.Mapping(entries, start, keyLines);
    }

    /** Reads the value of a key that is alone on its line. */
    private Tree below(int column, int depth, @Nullable Consumer<Tree> items) throws Unusual {
        int lineOfKey = line;
        nextLine();
        if (indent > column || (indent == column && isItem())) {
            return block(indent, depth + 1, items);
        }
        return new Tree.Scalar("", Tree.Type.NULL, lineOfKey);
    }

    /** The end of the key that begins here, at its colon; 0 when there is none. */
    private int keyEnd() {
        int i = at;
        while (i < lineEnd && isKeyPart(text[i], i == at)) {
            i++;
        }
        boolean colon = i > at && i < lineEnd && text[i] == ':' && (i + 1 == lineEnd || text[i + 1] == ' ');
        return colon ? i : 0;
    }

    private static boolean isKeyPart(byte c, boolean first) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || (!first && ((c >= '0' && c <= '9') || c == '.' || c == '/' || c == '-'));
    }

    /** Reads a value on one line, which must not continue on the next one. */
    private Tree inline(int column) throws Unusual {
        int to = lineEnd;
        while (text[to - 1] == ' ') {
            to--;
        }
        Tree value = inline(at, to);
        nextLine();
        if (indent > column) {
            throw new Unusual();
        }
        return value;
    }

    private Tree inline(int from, int to) throws Unusual {
        byte first = text[from];
        if (first == '"' || first == '\'') {
            for (int i = from + 1; i < to - 1; i++) {
                if (text[i] == first || text[i] == '\\') {
                    throw new Unusual();
                }
            }
            if (to - from < 2 || text[to - 1] != first) {
                throw new Unusual();
            }
            return new Tree.Scalar(string(from + 1, to - 1), Tree.Type.TEXT, line);
        }
        if (to - from == 2 && first == '{' && text[from + 1] == '}') {
            return new Tree.Mapping(Map.of(), line);
        }
        if (to - from == 2 && first == '[' && text[from + 1] == ']') {
            return new Tree.Sequence(List.of(), line);
        }
        boolean plainStart = (first >= '0' && first <= '9') || first == '/' || isKeyPart(first, true);
        for (int i = from + 1; plainStart && i < to; i++) {
            boolean comment = text[i] == '#' && text[i - 1] == ' ';
            boolean key = text[i] == ':' && (i + 1 == to || text[i + 1] == ' ');
            plainStart = !comment && !key;
        }
        if (!plainStart) {
            throw new Unusual();
        }
        return plain(string(from, to));
    }

    private String string(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** A scalar without quotes. */
    private Tree.Scalar plain(String word) {
        return new Tree.Scalar(word, typeOf(word), line);
    }

    private static Tree.Type typeOf(String word) {
        char first = word.charAt(0);
        if (isDigit(first)) {
            return onlyDigits(word) ? Tree.Type.WHOLE_NUMBER : TreeReader.typeOf(word);
        }
        boolean letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
        boolean perhapsWord = "tTfFnN".indexOf(first) >= 0 && word.length() <= 5;
        return letter && !perhapsWord ? Tree.Type.TEXT : TreeReader.typeOf(word);
    }

    private static boolean onlyDigits(String word) {
        return word.chars().allMatch(c -> isDigit((char) c));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
