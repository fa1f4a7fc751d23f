package io.dualstackd.kubeapi.tree;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The common part of both fast readers. They read only the plain part of YAML that programs write, and for anything else, valid or not,
 * they give up and the full parser reads the document from its start. So they need no error messages, and one rule is enough to test them:
 * what they read, the full parser reads with the same result, line numbers included.
 */
abstract class PlainText {
    static final int MAX_DEPTH = 100;

    /** The text is not supported by this reader; has no stack trace, because it does not indicate a mistake. */
    static final class Unusual extends Exception {
        private static final long serialVersionUID = 1;

        Unusual() {
            super("not plain", null, false, false);
        }
    }

    final byte[] text;
    final int end;
    private final Consumer<Tree> items;
    int at;
    int line;

    PlainText(byte[] text, int end, int firstLine, Consumer<Tree> items) {
        this.text = text;
        this.end = end;
        this.line = firstLine;
        this.items = items;
    }

    /**
     * Reads the tree of a document; empty when the full parser is needed, even if items were delivered already.
     *
     * @param items as in {@link TreeReader#read}
     */
    static Optional<Tree> read(byte[] text, int length, int firstLine, Consumer<Tree> items) {
        try {
            for (int i = 0; i < length; i++) {
                if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7f) {
                    return Optional.empty();
                }
            }
            int first = 0;
            while (first < length && (text[first] == ' ' || text[first] == '\n')) {
                first++;
            }
            PlainText reader = first < length && text[first] == '{'
                    ? new JsonText(text, length, firstLine, items)
                    : new BlockText(text, length, firstLine, items);
            return Optional.of(reader.document());
        } catch (Unusual e) {
            return Optional.empty();
        }
    }

    abstract Tree document() throws Unusual;

    /** The receiver of this list's items; null when they belong in the tree. */
    @Nullable
    Consumer<Tree> itemsAt(int depth, String key) {
        return depth == 0 && key.equals(TreeReader.ITEMS) ? items : null;
    }

    void put(Map<String, Tree> entries, String key, Tree value) throws Unusual {
        // The full parser has error messages for these.
        if (key.equals("<<") || entries.put(key, value) != null) {
            throw new Unusual();
        }
    }

    static Map<String, Tree> entries() {
        return new LinkedHashMap<>();
    }

    String string(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** A scalar without quotes. */
    Tree.Scalar plain(String word) {
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
        for (int i = 1; i < word.length(); i++) {
            if (!isDigit(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
