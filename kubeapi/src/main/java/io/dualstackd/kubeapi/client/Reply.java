package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;

/** What came of a single request to the API server. */
public sealed interface Reply {
    /**
     * The server did it.
     *
     * @param body JSON
     */
    record Done(int status, String body) implements Reply {}

    /** The server says no. */
    record Refused(ApiStatus status) implements Reply {}

    /**
     * Nobody answered, or not to the end; it may have been done all the same.
     *
     * @param why one sentence that names the server
     */
    record Failed(String why) implements Reply {}
}
