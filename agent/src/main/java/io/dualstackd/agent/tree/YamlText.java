package io.dualstackd.agent.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts a text into documents and reads each. */
public final class YamlText {
    private YamlText() {}

    /** The documents of a text, in order; those with nothing but comments are left out. */
    public static List<Document> documents(String text) {
        List<Document> documents = new ArrayList<>();
        int start = text.startsWith("\uFEFF") ? 1 : 0;
        int firstLine = 1;
        int line = 1;
        int at = start;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            int next = end < 0 ? text.length() : end + 1;
            boolean closes = isMarker(text, at, "...");
            if (closes || isMarker(text, at, "---")) {
                add(documents, text.substring(start, at), firstLine);
                start = closes ? next : at;
                firstLine = closes ? line + 1 : line;
            }
            at = next;
            line++;
        }
        add(documents, text.substring(start), firstLine);
        return List.copyOf(documents);
    }

    /** A marker counts only at the start of a line and before a blank: YAML 1.2 §9.1.2. */
    private static boolean isMarker(String text, int at, String marker) {
        if (!text.startsWith(marker, at)) {
            return false;
        }
        int after = at + marker.length();
        return after >= text.length() || Character.isWhitespace(text.charAt(after));
    }

    private static void add(List<Document> documents, String chunk, int firstLine) {
        if (hasContent(chunk)) {
            Optional<Document> document = TreeReader.read(chunk, documents.size() + 1, firstLine);
            document.ifPresent(documents::add);
        }
    }

    /** False for blank lines, comments and directives, which the parser would not accept on their own. */
    private static boolean hasContent(String chunk) {
        return chunk.lines()
                .anyMatch(line -> !line.isBlank() && !line.stripLeading().startsWith("#") && !line.startsWith("%"));
    }
}
