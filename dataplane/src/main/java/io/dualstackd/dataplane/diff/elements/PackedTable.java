package io.dualstackd.dataplane.diff.elements;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Elements of one set: keys of one length, each with a value of one length, in one array; found by key. An element can be taken,
 * which says that somebody wants it; in the end those left are to go.
 */
public final class PackedTable {
    private static final int FIRST_ROOM = 8;

    private final int keyLength;
    private final int stride;
    private byte[] content;
    /** Open addressing: number of the element plus one, 0 for none. */
    private int[] index;

    private final BitSet taken = new BitSet();
    private int size;
    private boolean doubled;

    /** @param valueLength 0 in sets */
    public PackedTable(int keyLength, int valueLength) {
        this.keyLength = keyLength;
        this.stride = keyLength + valueLength;
        this.content = new byte[FIRST_ROOM * stride];
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

    /** Whether a key came twice: a list that was read while the kernel moved it. */
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
        int at = size * stride;
        if (at == content.length) {
            content = Arrays.copyOf(content, 2 * at);
        }
        System.arraycopy(key, keyFrom, content, at, keyLength);
        System.arraycopy(value, valueFrom, content, at + keyLength, stride - keyLength);
        index[place] = ++size;
        if (2 * size > index.length) {
            grow();
        }
    }

    private void grow() {
        index = new int[2 * index.length];
        for (int element = 0; element < size; element++) {
            index[place(content, element * stride)] = element + 1;
        }
    }

    /** The number of the element with that key, or -1. */
    public int find(byte[] key, int from) {
        return size == 0 ? -1 : index[place(key, from)] - 1;
    }

    /** Where in the index the key is, or would be. */
    private int place(byte[] key, int from) {
        int mask = index.length - 1;
        int place = hash(key, from, from + keyLength) & mask;
        while (index[place] != 0 && !isKey(index[place] - 1, key, from)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean isKey(int element, byte[] key, int from) {
        int at = element * stride;
        return Arrays.equals(content, at, at + keyLength, key, from, from + keyLength);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0x811c9dc5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        return hash ^ (hash >>> 15);
    }

    /** Takes element {@code element}; says whether it was still there to be taken. */
    public boolean take(int element) {
        if (element < 0 || taken.get(element)) {
            return false;
        }
        taken.set(element);
        return true;
    }

    public boolean isTaken(int element) {
        return taken.get(element);
    }

    /** Nobody wants anything any more. */
    void untake() {
        taken.clear();
    }

    /** Every element that was not taken. */
    void left(IntConsumer each) {
        for (int element = taken.nextClearBit(0); element < size; element = taken.nextClearBit(element + 1)) {
            each.accept(element);
        }
    }

    /** The array that keys and values are in. */
    byte[] content() {
        return content;
    }

    /** Where in {@link #content} the key of an element begins. */
    int keyAt(int element) {
        return element * stride;
    }

    /** Where in {@link #content} the value of an element begins. */
    int valueAt(int element) {
        return element * stride + keyLength;
    }
}
