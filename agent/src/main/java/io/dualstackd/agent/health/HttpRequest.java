package io.dualstackd.agent.health;

import java.nio.charset.StandardCharsets;

/**
 * The part of an HTTP/1 request that matters here.
 *
 * @param method {@code GET}
 * @param path without the query
 */
public record HttpRequest(String method, String path) {
    /** Bytes after which a head that has no end is given up. */
    public static final int MAX_HEAD = 8192;

    /** How far the reading of a request has come. */
    public sealed interface Reading {
        /** The head has no end yet. */
        record More() implements Reading {}

        /** This is no HTTP/1 request. */
        record Malformed() implements Reading {}

        /** The head is complete; a body, if any, is of no interest. */
        record Complete(HttpRequest request) implements Reading {}
    }

    /** Reads what has arrived so far: the first {@code length} bytes. */
    public static Reading read(byte[] bytes, int length) {
        String head = new String(bytes, 0, Math.min(length, MAX_HEAD), StandardCharsets.ISO_8859_1);
        int end = end(head);
        if (end < 0) {
            return length >= MAX_HEAD ? new Reading.Malformed() : new Reading.More();
        }
        String[] words = head.substring(0, head.indexOf('\n')).strip().split(" ", -1);
        boolean understood = words.length == 3
                && words[0].matches("[A-Z]{1,16}")
                && words[1].startsWith("/")
                && words[2].matches("HTTP/1\\.[01]");
        return understood
                ? new Reading.Complete(new HttpRequest(words[0], words[1].replaceFirst("[?#].*", "")))
                : new Reading.Malformed();
    }

    /** Lines end in CR LF; a bare LF is understood, too, as RFC 9112 §2.2 allows. */
    private static int end(String head) {
        int strict = head.indexOf("\r\n\r\n");
        return strict >= 0 ? strict : head.indexOf("\n\n");
    }
}
