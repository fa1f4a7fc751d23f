package io.dualstackd.agent.cluster.io;

import io.netty.buffer.ByteBuf;

/** Told of one answer, on the thread {@code api}: {@code head}, {@code bytes} and {@code pause} any number of times, then {@code end} or {@code failed}. */
interface AnswerListener {
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
}
