package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;

/** A decoder of protobuf: keeps the bytes of an object until all of them have arrived, and of nothing else. */
abstract class ProtoDecoder implements WireDecoder {
    private static final int FIRST = 8 * 1024;
    /** Bytes taken at once from a response that is in memory. */
    private static final int PIECE = 32 * 1024;
    /** A larger array is not kept for the next object. */
    private static final int LARGE = 1024 * 1024;

    private byte[] bytes = new byte[FIRST];
    private int start;
    private int end;
    /** Position in the response of the first byte that is kept. */
    private long position;

    /**
     * Reads what is complete.
     *
     * @param at position of these bytes in the response
     * @return number of bytes read; the others are offered again, with more behind them
     */
    abstract int read(byte[] from, int offset, int length, long at) throws WireException;

    @Override
    public final void feed(ByteBuffer piece) throws WireException {
        while (piece.hasRemaining()) {
            int count = Math.min(PIECE, piece.remaining());
            makeRoom(count);
            piece.get(bytes, end, count);
            end += count;
            int done = read(bytes, start, end - start, position);
            start += done;
            position += done;
        }
    }

    private void makeRoom(int count) {
        int kept = end - start;
        if (bytes.length - end >= count && start < LARGE) {
            return;
        }
        boolean small = bytes.length > LARGE && kept + count < FIRST;
        byte[] room = small || bytes.length - kept < count
                ? new byte[small ? FIRST : Math.max(kept + count, Math.min(2 * bytes.length, ObjectReader.MAX))]
                : bytes;
        System.arraycopy(bytes, start, room, 0, kept);
        bytes = room;
        start = 0;
        end = kept;
    }

    /** Position in the response of the first byte that was not read. */
    final long position() {
        return position;
    }

    /** Whether bytes have arrived that are not complete. */
    final boolean hasRest() {
        return end > start;
    }
}
