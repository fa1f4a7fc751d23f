package io.dualstackd.netlink.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finished messages of a long datagram, in pages that never move: a batch of many millions of bytes is written without ever being copied
 * into a buffer of twice the size. A message never crosses a page boundary.
 */
final class NlPages implements BufferSink {
    /** A page is closed at this size; the last message may make it longer. */
    static final int FULL = 256 << 10;

    private List<Page> pages = List.of();
    private int length;

    /** One page, and its offset in the datagram. */
    private static final class Page {
        final int start;
        final byte[] content;

        Page(int start, byte[] content) {
            this.start = start;
            this.content = content;
        }
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void get(int offset, byte[] into, int count) {
        Page page = at(offset);
        System.arraycopy(page.content, offset - page.start, into, 0, count);
    }

    @Override
    public void put(int offset, byte[] from, int count) {
        Page page = at(offset);
        System.arraycopy(from, 0, page.content, offset - page.start, count);
    }

    @Override
    public void pieces(NlWriter.Piece to) {
        pages.forEach(page -> to.take(page.content, page.content.length));
    }

    @Override
    public void clear() {
        pages = List.of();
        length = 0;
    }

    @Override
    public void add(byte[] buffer, int count) {
        if (pages.isEmpty()) {
            pages = new ArrayList<>();
        }
        pages.add(new Page(length, Arrays.copyOf(buffer, count)));
        length += count;
    }

    /** The page that holds byte {@code offset}, which must be below {@link #length}. */
    private Page at(int offset) {
        int low = 0;
        int high = pages.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (pages.get(middle).start <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return pages.get(low);
    }
}
