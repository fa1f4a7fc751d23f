package io.dualstackd.netlink.wire;

/**
 * Keeps the finished messages of a long datagram, one after the other, where they can be changed until they are sent. Offsets are bytes
 * from the first one. Used by one thread.
 */
public interface BufferSink extends AutoCloseable {
    /** Returns a sink on the heap, in pages that never move. */
    static BufferSink onHeap() {
        return new NlPages();
    }

    /** Bytes kept. */
    int length();

    /** How many bytes of finished messages a writer keeps before it passes them to the sink. */
    default int portion() {
        return NlPages.FULL;
    }

    /** Takes a copy of the first {@code count} bytes, which are whole messages. */
    void add(byte[] buffer, int count);

    /** Copies {@code length} bytes, all of one message. */
    void get(int offset, byte[] into, int length);

    /** Overwrites {@code length} bytes, all of one message. */
    void put(int offset, byte[] from, int length);

    /** Passes on everything, piece by piece. */
    void pieces(NlWriter.Piece to);

    /** Discards everything, and frees its memory. May be used again. */
    void clear();

    @Override
    default void close() {
        clear();
    }
}
