package io.dualstackd.pages.health;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The response to an {@link HttpRequest}. The connection ends with it.
 *
 * @param status 200, 302, 400, 403, 404, 405, 500 or 503
 * @param headers besides those every answer has, in order
 */
public record HttpAnswer(int status, Map<String, String> headers, String body) {
    public HttpAnswer {
        headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The answer to what is not HTTP. */
    public static final HttpAnswer BAD_REQUEST = text(400, "not an HTTP/1 request\n");

    /** The answer for an unknown path. */
    public static final HttpAnswer NOT_FOUND = text(404, "404 page not found\n");

    /** The answer to a method that would change something. */
    public static final HttpAnswer METHOD_NOT_ALLOWED =
            text(405, "405 only GET and HEAD are understood here\n").with("Allow", "GET, HEAD");

    /** Plain text that browsers must not interpret as another type. */
    public static HttpAnswer text(int status, String body) {
        return of(status, "text/plain; charset=utf-8", body);
    }

    /** A JSON document. */
    public static HttpAnswer json(int status, String body) {
        return of(status, "application/json", body);
    }

    /** @param type as in {@code Content-Type} */
    public static HttpAnswer of(int status, String type, String body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", type);
        headers.put("X-Content-Type-Options", "nosniff");
        return new HttpAnswer(status, headers, body);
    }

    /** The same with one more header. */
    public HttpAnswer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new HttpAnswer(status, more, body);
    }

    /** The bytes sent to the client; HEAD gets no body. */
    public byte[] encoded(boolean withBody) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(reason())
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(content.length).append("\r\nConnection: close\r\n\r\n");
        return (withBody ? head + body : head.toString()).getBytes(StandardCharsets.UTF_8);
    }

    private String reason() {
        return switch (status) {
            case 200 -> "OK";
            case 302 -> "Found";
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> "Status";
        };
    }
}
