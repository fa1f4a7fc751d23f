package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;

/** A decoder that reads from arrays. */
abstract class BufferedDecoder implements WireDecoder {
    private static final int PIECE = 16 * 1024;

    /** Takes the next bytes; the array must not be kept. */
    abstract void feed(byte[] bytes, int at, int length) throws WireException;

    @Override
    public final void feed(ByteBuffer buffer) throws WireException {
        if (buffer.hasArray()) {
            int at = buffer.arrayOffset() + buffer.position();
            int length = buffer.remaining();
            buffer.position(buffer.limit());
            feed(buffer.array(), at, length);
            return;
        }
        byte[] piece = new byte[Math.min(PIECE, buffer.remaining())];
        while (buffer.hasRemaining()) {
            int length = Math.min(piece.length, buffer.remaining());
            buffer.get(piece, 0, length);
            feed(piece, 0, length);
        }
    }
}
