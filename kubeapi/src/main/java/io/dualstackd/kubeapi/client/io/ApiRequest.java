package io.dualstackd.kubeapi.client.io;

import java.time.Duration;
import java.util.Optional;

/**
 * One HTTP request.
 *
 * @param method {@code GET}, {@code PATCH}, {@code POST}
 * @param target path and query below the server's root
 * @param accept media types, in order of preference
 * @param watch its response lasts for minutes
 * @param firstByte how long the response may take to begin
 * @param silence how long the response may be silent once it has begun
 */
record ApiRequest(
        String method,
        String target,
        String accept,
        boolean watch,
        Optional<Body> body,
        Duration firstByte,
        Duration silence) {
    /** The body of the request. */
    record Body(String contentType, String text) {}

    static ApiRequest get(String target, String accept, boolean watch, Duration firstByte, Duration silence) {
        return new ApiRequest("GET", target, accept, watch, Optional.empty(), firstByte, silence);
    }

    /** Whether repeating the request does no harm. */
    boolean isRepeatable() {
        return method.equals("GET");
    }
}
