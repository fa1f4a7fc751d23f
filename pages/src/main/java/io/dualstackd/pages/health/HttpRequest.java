package io.dualstackd.pages.health;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an HTTP/1 request that matters here.
 *
 * @param method {@code GET}
 * @param path without the query
 * @param query without its question mark; empty when there is none
 * @param accept the header {@code Accept}; empty when there is none
 * @param host the header {@code Host}; empty when there is none
 */
public record HttpRequest(String method, String path, String query, String accept, String host) {
    /** The bytes after which a head without an end is rejected. */
    public static final int MAX_HEAD = 8192;

    /** A path with its query, which a client may also write behind scheme and host. */
    private static final Pattern TARGET = Pattern.compile(
            "(?:(?i:https?)://(?<host>[^/?#]+)(?=[/?#]|$)|(?=/))(?<path>[^?#]*)(?:\\?(?<query>[^#]*))?(?:#.*)?");

    private static final Pattern EMPTY_LINE = Pattern.compile("\n\r?\n");

    private static final String ACCEPT = "accept:";
    private static final String HOST = "host:";

    /** A GET request without query and headers. */
    public static HttpRequest get(String path) {
        return new HttpRequest("GET", path, "", "", "");
    }

    /** The first value of a parameter of the query, decoded; empty when there is none, or it cannot be decoded. */
    public String value(String parameter) {
        List<String> values = values(parameter);
        try {
            return values.isEmpty() ? "" : URLDecoder.decode(values.getFirst(), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** The values of a parameter of the query; for {@code ?verbose} it is the empty one. */
    public List<String> values(String parameter) {
        return Arrays.stream(query.split("&", -1))
                .filter(part -> part.equals(parameter) || part.startsWith(parameter + "="))
                .map(part -> part.substring(Math.min(part.length(), parameter.length() + 1)))
                .toList();
    }

    /** The state of reading a request. */
    public sealed interface Reading {
        /** The head is not complete yet. */
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
                && TARGET.matcher(words[1]).matches()
                && words[2].matches("HTTP/1\\.[01]");
        return understood
                ? new Reading.Complete(of(words[0], words[1], head.substring(0, end)))
                : new Reading.Malformed();
    }

    private static HttpRequest of(String method, String target, String head) {
        Matcher parts = TARGET.matcher(target);
        boolean ignored = parts.matches();
        String path = parts.group("path");
        String named = parts.group("host");
        // RFC 9112 §3.2.2: the header does not count then.
        String host = named == null ? header(head, HOST) : named;
        return new HttpRequest(
                method,
                path.isEmpty() ? "/" : path,
                Objects.requireNonNullElse(parts.group("query"), ""),
                header(head, ACCEPT),
                host);
    }

    private static String header(String head, String name) {
        return head.lines()
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** Lines end in CR LF; a bare LF is understood, too, as RFC 9112 §2.2 allows. */
    private static int end(String head) {
        Matcher empty = EMPTY_LINE.matcher(head);
        return empty.find() ? empty.start() : -1;
    }
}
