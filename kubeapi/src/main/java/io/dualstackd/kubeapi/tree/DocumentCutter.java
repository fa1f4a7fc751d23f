package io.dualstackd.kubeapi.tree;

import java.util.Arrays;

/**
 * Splits text into documents as its bytes arrive: at lines that are {@code ---} or {@code ...} (YAML 1.2 §9.1.2: a marker counts only at
 * the start of a line and before a blank; a carriage return alone ends a line, too, §5.4). Keeps no more than the current document, and of one that is too long only its beginning.
 */
final class DocumentCutter {
    private static final int FIRST = 8 * 1024;
    /** A larger array is not kept for the next document. */
    private static final int LARGE = 1024 * 1024;

    private static final int MARKER = 3;
    private static final int DASHES = 0x2d2d2d;
    private static final int DOTS = 0x2e2e2e;

    /** Receives the documents. */
    interface Piece {
        /**
         * One document, its opening marker included. The array is reused.
         *
         * @param line the first one of the document, counted from 1 in the text
         * @param whole false when the document is longer than {@link DocumentReader#MAX_BYTES}
         */
        void cut(byte[] bytes, int length, int line, boolean whole);
    }

    private final Piece piece;
    private byte[] kept = new byte[FIRST];
    private int size;
    private boolean whole = true;
    private boolean blank = true;

    private int line = 1;
    private int firstLine = 1;
    /** Offset of the current line in {@link #kept}. */
    private int lineStart;

    private int column;
    /** The first bytes of the line, while there are no more than three. */
    private int head;
    /** Whether the last byte was a carriage return: a line feed may still belong to the end of that line. */
    private boolean returned;
    /** The rest of a line that ended a document is ignored. */
    private boolean skipping;

    DocumentCutter(Piece piece) {
        this.piece = piece;
    }

    void feed(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            feed(bytes[i]);
        }
    }

    private void feed(byte next) {
        if (returned && next != '\n') {
            endLine();
        }
        returned = next == '\r';
        if (column == MARKER && isBlank(next)) {
            marker();
        }
        blank &= isBlank(next);
        if (!skipping) {
            keep(next);
        }
        if (next == '\n') {
            endLine();
        } else if (column <= MARKER) {
            head = (head << 8) | (next & 0xff);
            column++;
        }
    }

    private void endLine() {
        line++;
        column = 0;
        head = 0;
        lineStart = size;
        if (skipping) {
            skipping = false;
            firstLine = line;
        }
    }

    /** The text ends. */
    void finish() {
        if (column == MARKER) {
            marker();
        }
        if (!skipping) {
            cut(size);
        }
    }

    /** Whether the text contains only blanks so far. */
    boolean isBlank() {
        return blank;
    }

    private void marker() {
        boolean opens = head == DASHES;
        if (opens || head == DOTS) {
            cut(lineStart);
            firstLine = line;
            skipping = !opens;
            for (int i = 0; opens && i < MARKER; i++) {
                keep((byte) '-');
            }
        }
    }

    private void cut(int length) {
        piece.cut(kept, length, firstLine, whole);
        size = 0;
        lineStart = 0;
        whole = true;
        if (kept.length > LARGE) {
            kept = new byte[FIRST];
        }
    }

    private void keep(byte next) {
        if (size == DocumentReader.MAX_BYTES) {
            whole = false;
            return;
        }
        if (size == kept.length) {
            kept = Arrays.copyOf(kept, Math.min(2 * size, DocumentReader.MAX_BYTES));
        }
        kept[size++] = next;
    }

    private static boolean isBlank(byte next) {
        return next == ' ' || next == '\n' || next == '\t' || next == '\r';
    }
}
