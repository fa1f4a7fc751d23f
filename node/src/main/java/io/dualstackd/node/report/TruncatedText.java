package io.dualstackd.node.report;

import java.nio.charset.StandardCharsets;

/** Truncates texts to the limits of the API server: it counts bytes of UTF-8, and refuses the whole object if a text is too long. */
final class TruncatedText {
    private static final String MORE = "…";
    private static final int MORE_BYTES = bytes(MORE);

    private TruncatedText() {}

    /** Returns the text, or its beginning and an ellipsis. */
    static String note(String text, int mostBytes) {
        return bytes(text) <= mostBytes ? text : beginning(text, mostBytes - MORE_BYTES) + MORE;
    }

    /** Returns the text, or its beginning; characters are not split. */
    static String beginning(String text, int mostBytes) {
        int used = 0;
        int end = 0;
        while (end < text.length()) {
            int next = text.offsetByCodePoints(end, 1);
            used += bytes(text.substring(end, next));
            if (used > mostBytes) {
                break;
            }
            end = next;
        }
        return text.substring(0, end);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
