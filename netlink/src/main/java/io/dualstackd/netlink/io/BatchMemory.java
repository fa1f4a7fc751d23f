package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.NativeMemory;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.wire.BufferSink;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the messages of a long batch outside the heap, from where {@link NlSocket} sends them: a batch of many millions of bytes is then in
 * memory once, and freed when it is closed instead of some collections later. Takes no memory as long as it keeps nothing.
 */
public final class BatchMemory implements BufferSink {
    private static final long FIRST_ROOM = 1 << 20;
    private static final int PIECE = 64 << 10;
    /** Transactions of the usual size are smaller than this. */
    private static final int PORTION = 32 << 10;

    private @Nullable NativeMemory memory;
    private int length;

    @Override
    public int length() {
        return length;
    }

    @Override
    public int portion() {
        return PORTION;
    }

    /** @throws OutOfMemoryError when the system has no memory left */
    @Override
    public void add(byte[] buffer, int count) {
        try {
            NativeMemory now = memory;
            if (now == null) {
                now = NativeMemory.map(Math.max(FIRST_ROOM, count));
                memory = now;
            }
            while (now.size() < (long) length + count) {
                // Pages that were never written to take no memory.
                now.grow(2 * now.size());
            }
            now.put(length, buffer, count);
            length += count;
        } catch (SysException e) {
            throw new OutOfMemoryError("for a batch of more than " + length + " bytes: " + e.getMessage());
        }
    }

    @Override
    public void get(int offset, byte[] into, int count) {
        memory().get(offset, into, count);
    }

    @Override
    public void put(int offset, byte[] from, int count) {
        memory().put(offset, from, count);
    }

    @Override
    public void pieces(NlWriter.Piece to) {
        byte[] piece = new byte[Math.min(length, PIECE)];
        for (int at = 0; at < length; at += PIECE) {
            int count = Math.min(PIECE, length - at);
            get(at, piece, count);
            to.take(piece, count);
        }
    }

    /** The memory with the messages; only when there are any. */
    NativeMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("nothing is kept");
        }
        return memory;
    }

    @Override
    public void clear() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
        length = 0;
    }
}
