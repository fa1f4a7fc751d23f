package io.dualstackd.kubeapi.access;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of a server.
 *
 * @param secure {@code https}
 * @param host a name, or an address without brackets
 * @param path empty, or begins with a slash and does not end with one
 */
public record ServerUrl(boolean secure, String host, int port, String path) {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int MAX_PORT = 65_535;

    private static final Pattern URL = Pattern.compile(
            "(?:(?<scheme>[a-zA-Z][-+.a-zA-Z0-9]*)://)?(?:\\[(?<v6>[0-9a-fA-F:.]+)\\]|(?<host>[-._a-zA-Z0-9]+))"
                    + "(?::(?<port>[0-9]{1,5}))?(?<path>/[^?#]*)?");

    /**
     * Reads {@code https://10.0.0.1:6443}, {@code https://[fd00::1]/prefix}, {@code localhost:8080}.
     *
     * @param secureWithoutScheme whether to use TLS when no scheme is written
     * @throws IllegalArgumentException if the text is invalid; the message gives the rule
     */
    public static ServerUrl parse(String text, boolean secureWithoutScheme) {
        Matcher url = URL.matcher(text.strip());
        if (!url.matches()) {
            throw new IllegalArgumentException(
                    "must be a URL as https://10.0.0.1:6443 or https://[fd00::1]:6443, without user, query or fragment");
        }
        String scheme = url.group("scheme") == null ? "" : url.group("scheme").toLowerCase(Locale.ROOT);
        boolean secure = switch (scheme) {
            case "" -> secureWithoutScheme;
            case "https" -> true;
            case "http" -> false;
            default -> throw new IllegalArgumentException("must begin with https:// or http://");
        };
        String host = url.group("v6") == null ? url.group("host") : url.group("v6");
        int port = secure ? HTTPS : HTTP;
        if (url.group("port") != null) {
            port = Integer.parseInt(url.group("port"));
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("the port must be 1 to 65535");
        }
        String path = url.group("path") == null ? "" : url.group("path");
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        return new ServerUrl(secure, host, port, path);
    }

    /** The URL: {@code https://10.0.0.1:6443}. */
    @Override
    public String toString() {
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return (secure ? "https://" : "http://") + bracketed + ":" + port + path;
    }
}
