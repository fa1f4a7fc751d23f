package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;

/** The result of a single request to the API server. */
public sealed interface Reply {
    /**
     * The server carried out the request.
     *
     * @param body JSON
     */
    record Done(int status, String body) implements Reply {}

    /** The server refused the request. */
    record Refused(ApiStatus status) implements Reply {}

    /**
     * There was no response, or an incomplete one; the request may have been carried out all the same.
     *
     * @param why one sentence that names the server
     */
    record Failed(String why) implements Reply {}
}
