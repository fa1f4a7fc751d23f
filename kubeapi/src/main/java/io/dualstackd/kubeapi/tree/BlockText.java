package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * YAML as programs print it: objects and lists by indentation, each single value on the line of its key, lists and objects in brackets on
 * one line, ASCII characters, no anchors, tags, escapes or values of several lines.
 */
final class BlockText {
    private static final int NONE = -1;

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
        } catch (NotPlain e) {
            return Optional.empty();
        }
    }

    private Tree document() throws NotPlain {
        nextLine();
        if (indent == 0 && lineEnd - at == 3 && text[at] == '-' && text[at + 1] == '-' && text[at + 2] == '-') {
            nextLine();
        }
        if (indent == NONE) {
            throw new NotPlain();
        }
        Tree tree = block(indent, 0, null);
        if (indent != NONE) {
            throw new NotPlain();
        }
        return tree;
    }

    /** Goes to the next line with content; {@link #indent} is {@value #NONE} at the end. */
    private void nextLine() throws NotPlain {
        if (line >= 0 && indent != NONE) {
            at = lineEnd + 1;
        }
        for (; at < end; at = lineEnd + 1) {
            line++;
            lineEnd = at;
            while (lineEnd < end && text[lineEnd] != '\n') {
                if (text[lineEnd++] == '\t') {
                    throw new NotPlain();
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

    private Tree block(int column, int depth, @Nullable Consumer<Tree> items) throws NotPlain {
        if (depth >= TreeReader.MAX_DEPTH) {
            throw new NotPlain();
        }
        return isItem() ? sequence(column, depth, items) : mapping(column, depth);
    }

    private boolean isItem() {
        return text[at] == '-' && at + 1 < lineEnd && text[at + 1] == ' ';
    }

    private Tree sequence(int column, int depth, @Nullable Consumer<Tree> items) throws NotPlain {
        int start = line;
        List<Tree> list = new ArrayList<>();
        while (indent == column && isItem()) {
            int dash = at++;
            while (at < lineEnd && text[at] == ' ') {
                at++;
            }
            if (at == lineEnd || isItem()) {
                throw new NotPlain();
            }
            int inner = column + at - dash;
            Tree item;
            if (keyEnd() > 0) {
                indent = inner;
                item = block(inner, depth + 1, null);
            } else {
                item = inline(column, depth + 1);
            }
            if (items == null) {
                list.add(item);
            } else {
                items.accept(item);
            }
        }
        if (indent > column) {
            throw new NotPlain();
        }
        return new Tree.Sequence(list, start);
    }

    private Tree mapping(int column, int depth) throws NotPlain {
        int start = line;
        Map<String, Tree> entries = new LinkedHashMap<>();
        Map<String, Integer> keyLines = new HashMap<>();
        while (indent == column && !isItem()) {
            int keyLine = line;
            int colon = keyEnd();
            if (colon <= 0) {
                throw new NotPlain();
            }
            String key = string(at, colon);
            at = colon + 1;
            while (at < lineEnd && text[at] == ' ') {
                at++;
            }
            boolean list = depth == 0 && key.equals(TreeReader.ITEMS);
            Tree value = at < lineEnd ? inline(column, depth + 1) : below(column, depth, list ? items : null);
            if (list && value instanceof Tree.Sequence(List<Tree> here, int ignored) && !here.isEmpty()) {
                // Items are passed on one by one.
                throw new NotPlain();
            }
            // The full parser has the error message. It refuses the key "<<", too, which is none here.
            if (entries.put(key, value) != null) {
                throw new NotPlain();
            }
            if (value.line() != keyLine) {
                keyLines.put(key, keyLine);
            }
        }
        if (indent > column) {
            throw new NotPlain();
        }
        return new Tree.Mapping(entries, start, keyLines);
    }

    /** Reads the value of a key that is alone on its line. */
    private Tree below(int column, int depth, @Nullable Consumer<Tree> items) throws NotPlain {
        int lineOfKey = line;
        nextLine();
        if (indent > column || (indent == column && isItem())) {
            return block(indent, depth + 1, items);
        }
        return new Tree.Scalar("", Tree.Type.NULL, lineOfKey);
    }

    /** The end of the key that begins here, at its colon; 0 when there is none. */
    private int keyEnd() {
        return PlainScalar.keyEnd(text, at, lineEnd);
    }

    /** Reads a value on one line, which must not continue on the next one. */
    private Tree inline(int column, int depth) throws NotPlain {
        int to = lineEnd;
        while (text[to - 1] == ' ') {
            to--;
        }
        Tree value = FlowText.isFlow(text[at])
                ? FlowText.read(text, at, to, line, depth)
                : PlainScalar.read(text, at, to, line);
        nextLine();
        if (indent > column) {
            throw new NotPlain();
        }
        return value;
    }

    private String string(int from, int to) {
        return PlainScalar.string(text, from, to);
    }
}
