package io.dualstackd.kubeapi.client;

/** Receives the outcome of requests to the API server; always on the same thread. */
public interface RequestObserver {
    /** Ignores all calls. */
    RequestObserver NONE = new RequestObserver() {};

    /** The head of a response arrived. */
    default void answered(String method, int status) {}

    /** No response arrived, not even its head. */
    default void unanswered(String method) {}

    /**
     * A response is complete. Not called for watches, which last arbitrarily long.
     *
     * @param nanos time since the request was handed to the connection
     */
    default void took(String method, long nanos) {}
}
