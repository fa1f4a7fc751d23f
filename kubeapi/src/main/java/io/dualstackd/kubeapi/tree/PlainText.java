package io.dualstackd.kubeapi.tree;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the plain part of JSON and YAML that programs write, fast; for anything else, valid or not, the full parser reads the document
 * from its start. So there are no error messages here, and one rule is enough to test it: what is read here, the full parser reads with the
 * same result, line numbers included.
 */
final class PlainText {
    private PlainText() {}

    /**
     * Reads the tree of a document; empty when the full parser is needed, even if items were delivered already.
     *
     * @param items as in {@link TreeReader#read}
     */
    static Optional<Tree> read(byte[] text, int length, int firstLine, Consumer<Tree> items) {
        for (int i = 0; i < length; i++) {
            byte c = text[i];
            if (c == '\n' ? isBeforeColon(text, i + 1, length) : (c < ' ' && c != '\t') || c == 0x7f) {
                return Optional.empty();
            }
        }
        int first = 0;
        while (first < length && (text[first] == ' ' || text[first] == '\n')) {
            first++;
        }
        return first < length && text[first] == '{'
                ? JsonTree.document(text, length, firstLine, items)
                : BlockText.read(text, length, firstLine, items);
    }

    /** JSON may have a line end between a key and its colon, YAML not. */
    private static boolean isBeforeColon(byte[] text, int from, int length) {
        int at = from;
        while (at < length && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
        return at < length && text[at] == ':';
    }
}
