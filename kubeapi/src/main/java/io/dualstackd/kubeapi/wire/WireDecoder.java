package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;

/** Decodes one body. Used by one thread; must not be used after an exception. */
public interface WireDecoder {
    /**
     * Takes the next bytes, all of them. Every object that they complete is delivered before this returns.
     *
     * @throws WireException if the body is not of the expected form
     */
    void feed(ByteBuffer bytes) throws WireException;

    /**
     * The body ends.
     *
     * @throws WireException if it is incomplete
     */
    void end() throws WireException;
}
