package io.dualstackd.kubeapi.client;

/** Receives the outcome of requests to the API server; always on the same thread. */
public interface RequestObserver {
    /** Ignores all calls. */
    RequestObserver NONE = new RequestObserver() {
        @Override
        public void answered(String method, int status) {}

        @Override
        public void unanswered(String method) {}

        @Override
        public void took(String method, long nanos) {}
    };

    /** The head of a response arrived. */
    void answered(String method, int status);

    /** No response arrived, not even its head. */
    void unanswered(String method);

    /**
     * A response is complete. Not called for watches, which last arbitrarily long.
     *
     * @param nanos time since the request was handed to the connection
     */
    void took(String method, long nanos);
}
