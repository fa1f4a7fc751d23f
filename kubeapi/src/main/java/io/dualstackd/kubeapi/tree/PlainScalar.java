package io.dualstackd.kubeapi.tree;

import java.nio.charset.StandardCharsets;

/** A single value, or a key, on one line of plain YAML. */
final class PlainScalar {
    private PlainScalar() {}

    /** Reads all of a part of a line; its first and last characters are not blanks. */
    static Tree.Scalar read(byte[] text, int from, int to, int line) throws NotPlain {
        byte first = text[from];
        if (isQuote(first)) {
            if (to - from < 2 || closingQuote(text, from, to) != to - 1) {
                throw new NotPlain();
            }
            return new Tree.Scalar(string(text, from + 1, to - 1), Tree.Type.TEXT, line);
        }
        if (!isStart(first)) {
            throw new NotPlain();
        }
        for (int i = from + 1; i < to; i++) {
            boolean comment = text[i] == '#' && text[i - 1] == ' ';
            boolean key = text[i] == ':' && (i + 1 == to || text[i + 1] == ' ');
            if (comment || key) {
                throw new NotPlain();
            }
        }
        String word = string(text, from, to);
        return new Tree.Scalar(word, typeOf(word), line);
    }

    static boolean isQuote(byte c) {
        return c == '"' || c == '\'';
    }

    /**
     * The position of the quote that ends the text begun by the quote at {@code from}.
     *
     * @throws NotPlain when it has escapes, or no end
     */
    static int closingQuote(byte[] text, int from, int to) throws NotPlain {
        byte quote = text[from];
        for (int i = from + 1; i < to; i++) {
            if (text[i] == quote) {
                return i;
            }
            if (text[i] == '\\') {
                break;
            }
        }
        throw new NotPlain();
    }

    /** The end of the key that begins here, at its colon, which a blank or the end of the line follows; 0 when there is none. */
    static int keyEnd(byte[] text, int from, int lineEnd) {
        int i = from;
        while (i < lineEnd && isKeyPart(text[i], i == from)) {
            i++;
        }
        boolean colon = i > from && i < lineEnd && text[i] == ':' && (i + 1 == lineEnd || text[i + 1] == ' ');
        return colon && i - from <= TreeReader.MAX_KEY ? i : 0;
    }

    private static boolean isKeyPart(byte c, boolean first) {
        return isLetter(c) || c == '_' || (!first && (isDigit(c) || c == '.' || c == '/' || c == '-'));
    }

    private static boolean isStart(byte c) {
        return isDigit(c) || c == '/' || c == '_' || isLetter(c);
    }

    static String string(byte[] text, int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static Tree.Type typeOf(String word) {
        char first = word.charAt(0);
        if (isDigit(first)) {
            return onlyDigits(word) ? Tree.Type.WHOLE_NUMBER : TreeReader.typeOf(word);
        }
        boolean perhapsWord = "tTfFnN".indexOf(first) >= 0 && word.length() <= 5;
        return isLetter(first) && !perhapsWord ? Tree.Type.TEXT : TreeReader.typeOf(word);
    }

    private static boolean onlyDigits(String word) {
        return word.chars().allMatch(PlainScalar::isDigit);
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
