package io.dualstackd.pods.cri;

import java.nio.charset.StandardCharsets;

/**
 * The address of the container runtime: an absolute path of a Unix socket. Written {@code unix:///run/containerd/containerd.sock}, or the
 * path alone.
 */
public record RuntimeEndpoint(String path) {
    private static final String SCHEME = "unix://";
    /** The longest path that fits into the kernel's {@code sockaddr_un} with the terminating zero. */
    private static final int LONGEST = 107;

    public RuntimeEndpoint {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "a runtime endpoint is unix:///PATH/OF/SOCKET or /PATH/OF/SOCKET, not \"" + path + "\"");
        }
        int length = path.getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST) {
            throw new IllegalArgumentException("the path of a Unix socket has at most " + LONGEST
                    + " bytes, this one has " + length + ": \"" + path + "\"");
        }
        if (path.chars().anyMatch(c -> c < ' ')) {
            throw new IllegalArgumentException("the path of a Unix socket has no control characters: \"" + path + "\"");
        }
    }

    /** @throws IllegalArgumentException naming the text and what is wrong with it */
    public static RuntimeEndpoint parse(String text) {
        if (text.startsWith(SCHEME)) {
            String path = text.substring(SCHEME.length());
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "the path of a Unix socket is absolute, with three slashes after \"unix:\": " + "not \"" + text
                                + "\"");
            }
            return new RuntimeEndpoint(path);
        }
        if (text.contains("://")) {
            throw new IllegalArgumentException(
                    "container runtimes are reached over Unix sockets only (unix:///PATH), not \"" + text + "\"");
        }
        return new RuntimeEndpoint(text);
    }

    @Override
    public String toString() {
        return SCHEME + path;
    }
}
