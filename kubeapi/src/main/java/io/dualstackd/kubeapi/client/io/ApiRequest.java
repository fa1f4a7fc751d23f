package io.dualstackd.kubeapi.client.io;

import java.time.Duration;
import java.util.Optional;

/**
 * One HTTP request.
 *
 * @param method {@code GET}, {@code PATCH}, {@code POST}
 * @param target path and query below the server's root
 * @param accept media types, in order of liking
 * @param watch its answer lasts for minutes
 * @param firstByte how long the answer may take to begin
 * @param silence how long nothing may come once it has begun
 */
record ApiRequest(
        String method,
        String target,
        String accept,
        boolean watch,
        Optional<Body> body,
        Duration firstByte,
        Duration silence) {
    /** What is sent along. */
    record Body(String contentType, String text) {}

    static ApiRequest get(String target, String accept, boolean watch, Duration firstByte, Duration silence) {
        return new ApiRequest("GET", target, accept, watch, Optional.empty(), firstByte, silence);
    }

    /** Asking twice does no harm. */
    boolean isRepeatable() {
        return method.equals("GET");
    }
}
