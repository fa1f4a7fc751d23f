package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import java.util.Optional;

/** Answers requests, on the thread of the {@link HttpLoop}; must not block, unless the request takes long. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers one request.
     *
     * @param localAddress the address of this host that was connected to
     * @return empty to close the connection, as if nothing listened
     */
    Optional<HttpAnswer> answer(HttpRequest request, Ip localAddress);

    /** Whether the answer takes long. It is then made on a thread of its own, after those that were asked for before. */
    default boolean takesLong(HttpRequest request) {
        return false;
    }
}
