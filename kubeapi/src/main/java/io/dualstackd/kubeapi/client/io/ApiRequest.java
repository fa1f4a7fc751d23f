package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
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
    private static final String AGENT = "dualstackd";

    /** The body of the request. */
    record Body(String contentType, String text) {}

    static ApiRequest get(String target, String accept, boolean watch, Duration firstByte, Duration silence) {
        return new ApiRequest("GET", target, accept, watch, Optional.empty(), firstByte, silence);
    }

    FullHttpRequest toHttp(ClusterAccess server) {
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(method),
                server.path() + target,
                body.map(content -> Unpooled.copiedBuffer(content.text(), StandardCharsets.UTF_8))
                        .orElse(Unpooled.EMPTY_BUFFER));
        HttpHeaders headers = request.headers()
                .set(HttpHeaderNames.HOST, server.hostHeader())
                .set(HttpHeaderNames.ACCEPT, accept)
                .set(HttpHeaderNames.USER_AGENT, AGENT);
        body.ifPresent(content -> headers.set(HttpHeaderNames.CONTENT_TYPE, content.contentType())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, request.content().readableBytes()));
        return request;
    }

    /** Whether repeating the request does no harm. */
    boolean isRepeatable() {
        return method.equals("GET");
    }
}
