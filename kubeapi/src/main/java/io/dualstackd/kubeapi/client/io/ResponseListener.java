package io.dualstackd.kubeapi.client.io;

import io.netty.buffer.ByteBuf;

/**
 * Told of one answer, on the thread {@code api}: {@code head}, {@code bytes} and {@code pause} any number of times, then one of {@code end},
 * {@code failed} and {@code silent}, exactly once. What {@code head}, {@code bytes} or {@code pause} throw ends the answer with {@code failed}.
 */
interface ResponseListener {
    /**
     * The answer begins.
     *
     * @param contentType without parameters that do not matter to us; may be empty
     * @param retryAfter the header, empty when there is none
     */
    void head(int status, String contentType, String retryAfter);

    /** A piece of the body; not to be kept. */
    void bytes(ByteBuf piece);

    /** For the moment, that was all there is to read. */
    void pause();

    /** The answer is complete. */
    void end();

    /**
     * There is no (complete) answer.
     *
     * @param begun the answer had begun
     * @param why one sentence that names the server
     */
    void failed(boolean begun, String why);

    /** As {@link #failed}, because nothing came for too long. */
    default void silent(boolean begun, String why) {
        failed(begun, why);
    }
}
