package io.dualstackd.dataplane.diff.elements;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Elements of one set: keys of one length, each with a value of one length, in a few arrays; found by key. Taking an element marks it
 * as wanted; in the end those not taken are removed.
 */
public final class PackedTable {
    private static final int FIRST_ROOM = 8;
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final int keyLength;
    private final int stride;
    /** Of {@link #CHUNK} elements each, the last one not full: a table of a hundred thousand elements grows without being copied. */
    private byte[][] chunks;
    /** Open addressing: number of the element plus one, 0 for none. */
    private int[] index;

    private final BitSet taken = new BitSet();
    private int size;
    private boolean doubled;

    /** @param valueLength 0 in sets */
    public PackedTable(int keyLength, int valueLength) {
        this.keyLength = keyLength;
        this.stride = keyLength + valueLength;
        this.chunks = new byte[][] {new byte[FIRST_ROOM * stride]};
        this.index = new int[2 * FIRST_ROOM];
    }

    public int keyLength() {
        return keyLength;
    }

    public int valueLength() {
        return stride - keyLength;
    }

    public int size() {
        return size;
    }

    /** Whether a key was added twice: in a dump during which the kernel reorganised the set. */
    public boolean doubled() {
        return doubled;
    }

    /** Adds an element; a key that is there already is left as it is. */
    public void add(byte[] key, int keyFrom, byte[] value, int valueFrom) {
        int place = place(key, keyFrom);
        if (index[place] != 0) {
            doubled = true;
            return;
        }
        byte[] content = lastChunk();
        int at = keyAt(size);
        System.arraycopy(key, keyFrom, content, at, keyLength);
        System.arraycopy(value, valueFrom, content, at + keyLength, stride - keyLength);
        index[place] = ++size;
        if (2 * size > index.length) {
            grow();
        }
    }

    /** Prepares for so many elements more, so that a table of known size grows once; large ones get no space for content yet. */
    public void expect(int more) {
        int wanted = size + more;
        if (more > 0 && wanted <= CHUNK && keyAt(wanted - 1) >= chunks[0].length) {
            chunks[0] = Arrays.copyOf(chunks[0], wanted * stride);
        }
        while (2 * wanted > index.length) {
            grow();
        }
    }

    /** The chunk for the next element. */
    private byte[] lastChunk() {
        int last = size >> CHUNK_BITS;
        if (last == chunks.length) {
            chunks = Arrays.copyOf(chunks, last + 1);
            chunks[last] = new byte[CHUNK * stride];
        }
        if (keyAt(size) == chunks[last].length) {
            chunks[last] = Arrays.copyOf(chunks[last], 2 * chunks[last].length);
        }
        return chunks[last];
    }

    private void grow() {
        index = new int[2 * index.length];
        for (int element = 0; element < size; element++) {
            index[place(content(element), keyAt(element))] = element + 1;
        }
    }

    /** Returns the number of the element with that key, or -1. */
    public int find(byte[] key, int from) {
        return size == 0 ? -1 : index[place(key, from)] - 1;
    }

    /** The position of the key in the index, or the one where it would be. */
    private int place(byte[] key, int from) {
        int mask = index.length - 1;
        int place = hash(key, from, from + keyLength) & mask;
        while (index[place] != 0 && !isKey(index[place] - 1, key, from)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean isKey(int element, byte[] key, int from) {
        int at = keyAt(element);
        return Arrays.equals(content(element), at, at + keyLength, key, from, from + keyLength);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0x811c9dc5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        return hash ^ (hash >>> 15);
    }

    /** Takes element {@code element}; returns whether it was there and not taken before. */
    public boolean take(int element) {
        if (element < 0 || taken.get(element)) {
            return false;
        }
        taken.set(element);
        return true;
    }

    /** Whether element {@code element} was taken. */
    boolean isTaken(int element) {
        return taken.get(element);
    }

    /** Marks all elements as not taken. */
    void untake() {
        taken.clear();
    }

    /** Whether there is an element that was not taken. */
    boolean hasLeft() {
        return taken.nextClearBit(0) < size;
    }

    /** Passes every element that was not taken. */
    void left(IntConsumer each) {
        for (int element = taken.nextClearBit(0); element < size; element = taken.nextClearBit(element + 1)) {
            each.accept(element);
        }
    }

    /** The array that an element's key and value are in. */
    byte[] content(int element) {
        return chunks[element >> CHUNK_BITS];
    }

    /** Where in {@link #content} the key of an element begins. */
    int keyAt(int element) {
        return (element & (CHUNK - 1)) * stride;
    }

    /** Where in {@link #content} the value of an element begins. */
    int valueAt(int element) {
        return keyAt(element) + keyLength;
    }
}
