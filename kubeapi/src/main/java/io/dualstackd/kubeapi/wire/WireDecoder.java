package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;

/** Reads one body. Belongs to one thread; of no use after it has thrown. */
public interface WireDecoder {
    /**
     * The next bytes, as many as there are; all are taken. Everything that is complete with them is told before this returns.
     *
     * @throws WireException when this cannot be what was asked for
     */
    void feed(ByteBuffer bytes) throws WireException;

    /**
     * The body ends here.
     *
     * @throws WireException when it ends in the middle of something
     */
    void end() throws WireException;
}
