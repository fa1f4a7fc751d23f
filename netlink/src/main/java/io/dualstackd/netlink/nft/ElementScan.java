package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;

/**
 * Iterates over the elements of a listed set in the received messages, one at a time, without creating objects: a data plane reads a
 * hundred thousand of them when it starts. Keys and values are in arrays that the next element overwrites.
 */
public final class ElementScan {
    /** The longest key that the kernel supports ({@code NFT_DATA_VALUE_MAXLEN}). */
    private static final int LONGEST = 64;

    private static final int LIST = ElementCodec.ELEMENTS.number();
    private static final int KEY = 1;
    private static final int DATA = 2;
    private static final int FLAGS = 3;
    private static final int EXPR = 7;
    private static final int KEY_END = 10;
    private static final int DATA_VALUE = 1;
    private static final int DATA_VERDICT = 2;
    private static final int EXPR_DATA = 2;
    private static final int COUNTER_BYTES = 1;
    private static final int COUNTER_PACKETS = 2;

    private final byte[] key = new byte[2 * LONGEST];
    private final byte[] value = new byte[LONGEST];
    private int keyLength;
    private int valueLength;
    private int flags;
    private String chain = "";
    private long packets;
    private long bytes;

    /** Receives an element; the accessors of the scan are valid during the call. */
    @FunctionalInterface
    public interface Sink {
        void element(ElementScan element);
    }

    /** The key, followed by the last key of the range where the set has ranges. */
    public byte[] key() {
        return key;
    }

    /** Number of valid bytes of {@link #key}. */
    public int keyLength() {
        return keyLength;
    }

    /** The value of a map for the key. */
    public byte[] value() {
        return value;
    }

    /** Number of valid bytes of {@link #value}; 0 in sets and verdict maps. */
    public int valueLength() {
        return valueLength;
    }

    /** The chain that a verdict map goes to; empty for verdicts other than {@code goto}, and in other sets. */
    public String chain() {
        return chain;
    }

    /** As {@link NftElement#flags}. */
    public int flags() {
        return flags;
    }

    /** The packets that the element's counter has counted; 0 without one. The only expression of an element is taken for a counter. */
    public long packets() {
        return packets;
    }

    /** The bytes of those packets. */
    public long bytes() {
        return bytes;
    }

    /** Passes each element of one message of a list to {@code sink}. */
    public void scan(NlMessage message, Sink sink) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWSETELEM");
        NfHeader.read(body);
        AttrCursor attrs = body.cursor();
        while (attrs.advance()) {
            if (attrs.number() == LIST) {
                attrs.enter();
                while (attrs.advance()) {
                    attrs.enter();
                    element(attrs);
                    attrs.leave();
                    sink.element(this);
                }
                attrs.leave();
            }
        }
    }

    private void element(AttrCursor parts) throws DecodeException {
        keyLength = 0;
        valueLength = 0;
        flags = 0;
        chain = "";
        packets = 0;
        bytes = 0;
        while (parts.advance()) {
            switch (parts.number()) {
                case KEY -> keyLength = value(parts, key, 0);
                case KEY_END -> keyLength = value(parts, key, keyLength);
                case DATA -> data(parts);
                case FLAGS -> flags = parts.u32be();
                case EXPR -> expression(parts);
                default -> {}
            }
        }
    }

    private static int value(AttrCursor nest, byte[] target, int from) throws DecodeException {
        int end = from;
        nest.enter();
        while (nest.advance()) {
            if (nest.number() == DATA_VALUE) {
                end = nest.copyTo(target, from);
            }
        }
        nest.leave();
        return end;
    }

    private void data(AttrCursor nest) throws DecodeException {
        nest.enter();
        while (nest.advance()) {
            if (nest.number() == DATA_VALUE) {
                valueLength = nest.copyTo(value, 0);
            } else if (nest.number() == DATA_VERDICT) {
                verdict(nest);
            }
        }
        nest.leave();
    }

    private void expression(AttrCursor nest) throws DecodeException {
        nest.enter();
        while (nest.advance()) {
            if (nest.number() == EXPR_DATA) {
                nest.enter();
                while (nest.advance()) {
                    switch (nest.number()) {
                        case COUNTER_PACKETS -> packets = nest.u64be();
                        case COUNTER_BYTES -> bytes = nest.u64be();
                        default -> {}
                    }
                }
                nest.leave();
            }
        }
        nest.leave();
    }

    private void verdict(AttrCursor nest) throws DecodeException {
        int code = 0;
        String target = "";
        nest.enter();
        while (nest.advance()) {
            if (nest.number() == Verdict.CODE.number()) {
                code = nest.u32be();
            } else if (nest.number() == Verdict.CHAIN.number()) {
                target = nest.text();
            }
        }
        nest.leave();
        chain = code == Verdict.GOTO ? target : "";
    }
}
