package io.dualstackd.kubeapi.client.io;

import io.netty.buffer.ByteBuf;

/**
 * Receives one response, on the thread {@code api}: {@code head}, {@code bytes} and {@code pause} any number of times, then one of
 * {@code end}, {@code failed} and {@code silent}, exactly once. An exception from {@code head}, {@code bytes} or {@code pause} ends the
 * response with {@code failed}.
 */
interface ResponseListener {
    /**
     * The response begins.
     *
     * @param contentType without parameters that are not needed; may be empty
     * @param retryAfter the header, empty when there is none
     */
    void head(int status, String contentType, String retryAfter);

    /** A piece of the body; not to be kept. */
    default void bytes(ByteBuf piece) {}

    /** There is nothing more to read for the moment. */
    default void pause() {}

    /** The response is complete. */
    void end();

    /**
     * There is no (complete) response.
     *
     * @param begun the response had begun
     * @param why one sentence that names the server
     */
    void failed(boolean begun, String why);

    /** As {@link #failed}, because no bytes arrived for too long. */
    default void silent(boolean begun, String why) {
        failed(begun, why);
    }
}
