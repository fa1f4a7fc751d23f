package io.dualstackd.kubeapi.tree;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the documents of a text one by one as its bytes arrive; no more than one of them is in memory. Used once, by one
 * thread: {@link #feed} any number of times, then {@link #finish}.
 */
public final class DocumentReader {
    /**
     * Maximum size of a document in bytes. A slice of 1,000 endpoints with everything a controller writes is about half a million bytes of
     * YAML, so a document may hold a dozen of them.
     */
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final byte[] MARKER = {'-', '-', '-'};
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final char UNREADABLE = '\uFFFD';

    private final Listener listener;
    private final DocumentCutter cutter = new DocumentCutter(this::document);
    private int documents;

    /** Receives the documents, in the order of the text. */
    public interface Listener {
        /**
         * An item of the list under the key {@code items} at the top of a document, as soon as it is read; {@link #document} follows
         * when the document ends, and may report that it is invalid.
         *
         * @param document its number
         */
        void item(int document, Tree tree);

        /**
         * Items received from this document are void: it is read once more, by another parser, or the key {@code items} occurs again.
         *
         * @param document its number
         */
        void again(int document);

        /**
         * A key that its object has already; the later one counts. Called after the items and before {@link #document}.
         *
         * @param document its number
         * @param path from the top of the document
         */
        void twice(int document, String path, int line, int firstLine);

        /** A document. Its {@code items} were delivered before and are empty here. */
        void document(Document document);
    }

    public DocumentReader(Listener listener) {
        this.listener = listener;
    }

    /** The next bytes of the text; the array may be reused. */
    public void feed(byte[] bytes, int length) {
        cutter.feed(bytes, length);
    }

    /** The text ends. */
    public void finish() {
        cutter.finish();
    }

    /** Whether the text contains only blanks so far. */
    public boolean isBlank() {
        return cutter.isBlank();
    }

    private void document(byte[] bytes, int length, int line, boolean whole) {
        int number = documents + 1;
        Optional<Document> document = whole
                ? read(bytes, length, number, line)
                : Optional.of(new Document.Broken(
                        number,
                        line,
                        "the document has more than " + MAX_BYTES + " bytes (8 MiB); split it into several documents"));
        document.ifPresent(read -> {
            documents = number;
            listener.document(read);
        });
    }

    private Optional<Document> read(byte[] bytes, int length, int number, int line) {
        int content = afterMarker(bytes, length);
        boolean marked = isMark(bytes, content, length);
        Optional<Tree> plain =
                marked ? Optional.empty() : PlainText.read(bytes, length, line, item -> listener.item(number, item));
        if (plain.isPresent()) {
            return Optional.of(new Document.Parsed(number, plain.get()));
        }
        listener.again(number);
        int start = marked ? content + BYTE_ORDER_MARK.length : content;
        String text = new String(bytes, 0, content, StandardCharsets.UTF_8)
                + new String(bytes, start, length - start, StandardCharsets.UTF_8);
        if (text.indexOf(UNREADABLE) >= 0 && !isUtf8(bytes, length)) {
            return Optional.of(new Document.Broken(number, line, "the text is not UTF-8"));
        }
        return hasContent(text)
                ? TreeReader.read(
                        text,
                        number,
                        line,
                        item -> listener.item(number, item),
                        () -> listener.again(number),
                        (path, later, first) -> listener.twice(number, path, later, first))
                : Optional.empty();
    }

    /** Where the line behind a marker begins; 0 without one. Each of several files that were joined may begin with a byte order mark. */
    private static int afterMarker(byte[] bytes, int length) {
        int at = 0;
        while (at < length && at < MARKER.length && bytes[at] == MARKER[at]) {
            at++;
        }
        if (at < MARKER.length) {
            return 0;
        }
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at < length && bytes[at] == '\n' ? at + 1 : 0;
    }

    private static boolean isMark(byte[] bytes, int from, int length) {
        int to = from + BYTE_ORDER_MARK.length;
        return to <= length && Arrays.equals(bytes, from, to, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }

    private static boolean isUtf8(byte[] bytes, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** False for blank lines, comments and directives, which the parser would not accept on their own. */
    private static boolean hasContent(String text) {
        return text.lines()
                .anyMatch(line -> !line.isBlank() && !line.stripLeading().startsWith("#") && !line.startsWith("%"));
    }
}
