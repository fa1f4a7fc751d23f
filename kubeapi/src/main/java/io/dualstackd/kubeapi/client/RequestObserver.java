package io.dualstackd.kubeapi.client;

/** Told how requests to the API server fare; always on the same thread. */
public interface RequestObserver {
    /** Looks away. */
    RequestObserver NONE = new RequestObserver() {
        @Override
        public void answered(String method, int status) {}

        @Override
        public void unanswered(String method) {}

        @Override
        public void took(String method, long nanos) {}
    };

    /** The head of an answer came. */
    void answered(String method, int status);

    /** No answer came, not even its head. */
    void unanswered(String method);

    /**
     * An answer came to its end. Not told of watches, which last as long as they last.
     *
     * @param nanos since the request was handed to the connection
     */
    void took(String method, long nanos);
}
