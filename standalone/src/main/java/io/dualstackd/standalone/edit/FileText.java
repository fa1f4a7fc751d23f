package io.dualstackd.standalone.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The text of a file, cut into its documents (YAML 1.2 §9.1.2: a marker counts only at the start of a line and before a blank).
 *
 * @param pieces in order; concatenated they are exactly the text
 */
public record FileText(List<Piece> pieces) {
    private static final int MARKER = 3;

    /**
     * A document.
     *
     * @param line its first line, counted from 1
     * @param open the line {@code ---} before it; empty when there is none, or when the line also holds content
     * @param body its content
     * @param close the line {@code ...} after it, usually empty
     */
    public record Piece(int line, String open, String body, String close) {
        boolean isBlank() {
            return body.isBlank();
        }

        @Override
        public String toString() {
            return open + body + close;
        }
    }

    public FileText {
        pieces = List.copyOf(pieces);
    }

    public static FileText of(String text) {
        List<Piece> pieces = new ArrayList<>();
        int start = 1;
        int line = 0;
        String open = "";
        StringBuilder body = new StringBuilder();
        for (String next : lines(text)) {
            line++;
            boolean opens = isMarker(next, "---");
            boolean closes = isMarker(next, "...");
            if (opens && line > start) {
                pieces.add(new Piece(start, open, body.toString(), ""));
                start = line;
                body.setLength(0);
                open = "";
            }
            if (opens && isBare(next)) {
                open = next;
            } else if (closes) {
                pieces.add(new Piece(start, open, body.toString(), next));
                start = line + 1;
                body.setLength(0);
                open = "";
            } else {
                body.append(next);
            }
        }
        if (line >= start || pieces.isEmpty()) {
            pieces.add(new Piece(start, open, body.toString(), ""));
        }
        return new FileText(pieces);
    }

    /** The lines, each with its line terminator. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = lineAfter(text, from);
            lines.add(text.substring(from, to));
            from = to;
        }
        return lines;
    }

    /** Where the line ends that this offset is in, behind its terminator. */
    static int lineAfter(String text, int offset) {
        int at = offset;
        while (at < text.length() && !endsLine(text, at)) {
            at++;
        }
        return Math.min(at + 1, text.length());
    }

    /** Where the line begins that this offset is in. */
    static int lineOf(String text, int offset) {
        int at = offset;
        while (at > 0 && !endsLine(text, at - 1)) {
            at--;
        }
        return at;
    }

    /** Whether a line ends with this character: a line feed, or a carriage return without one (YAML 1.2 §5.4). */
    private static boolean endsLine(String text, int at) {
        char c = text.charAt(at);
        return c == '\n' || (c == '\r' && !text.startsWith("\n", at + 1));
    }

    private static boolean isMarker(String line, String marker) {
        return line.startsWith(marker) && (line.length() == MARKER || " \t\r\n".indexOf(line.charAt(MARKER)) >= 0);
    }

    /** Whether the line of the marker holds no content of the document. */
    private static boolean isBare(String line) {
        String rest = line.substring(MARKER).strip();
        return rest.isEmpty() || rest.startsWith("#");
    }

    /** The document that contains this line. */
    public Optional<Piece> at(int line) {
        return pieces.reversed().stream().filter(piece -> piece.line() <= line).findFirst();
    }

    /**
     * Returns the text with changes.
     *
     * @param changes new bodies, with their comments, or empty to remove a document
     * @param added bodies of documents to append at the end
     */
    public String with(Map<Piece, Optional<String>> changes, List<String> added) {
        List<Piece> result = new ArrayList<>();
        for (Piece piece : pieces) {
            Optional<String> body = changes.getOrDefault(piece, Optional.of(piece.body()));
            if (body.isPresent()) {
                result.add(new Piece(piece.line(), piece.open(), body.get(), piece.close()));
            }
        }
        boolean blank = result.stream().allMatch(Piece::isBlank);
        for (String body : added) {
            result.add(new Piece(0, blank ? "" : "---\n", ended(body), ""));
            blank = false;
        }
        return joined(result);
    }

    /** Returns the new body, below the comments that preceded the old one, unless it has its own. */
    static String keepingHead(String old, String body) {
        String head = lines(old).stream().takeWhile(FileText::isComment).collect(Collectors.joining());
        return (lines(body).stream().findFirst().filter(FileText::isComment).isPresent() ? "" : head) + ended(body);
    }

    /** As {@link #keepingHead}, and above the comments that followed the old one. Indented lines may be part of a text. */
    static String keepingComments(String old, String body) {
        List<String> lines = lines(old);
        int from = lines.size();
        while (from > 0 && (lines.get(from - 1).isBlank() || lines.get(from - 1).startsWith("#"))) {
            from--;
        }
        List<String> tail = lines.subList(from, lines.size());
        List<String> fresh = lines(body);
        boolean keeps = from > 0
                && tail.stream().anyMatch(line -> line.startsWith("#"))
                && (fresh.isEmpty() || !fresh.getLast().startsWith("#"));
        return keepingHead(old, body) + (keeps ? String.join("", tail) : "");
    }

    private static boolean isComment(String line) {
        return line.isBlank() || line.stripLeading().startsWith("#");
    }

    private static String joined(List<Piece> pieces) {
        StringBuilder text = new StringBuilder();
        boolean separate = false;
        for (Piece piece : pieces) {
            boolean opened = !piece.open().isEmpty() || isMarked(piece.body());
            if (separate && !opened) {
                text.append("---\n");
            }
            if (!text.isEmpty() && "\n\r".indexOf(text.charAt(text.length() - 1)) < 0) {
                text.append('\n');
            }
            text.append(piece);
            separate = piece.close().isEmpty() && !piece.toString().isBlank();
        }
        return text.toString();
    }

    static boolean isMarked(String body) {
        return isMarker(body, "---");
    }

    private static String ended(String text) {
        return text.endsWith("\n") ? text : text + "\n";
    }
}
