package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.DecodeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A view of an nf_tables message in the receive buffer, which decodes no objects: its table, its chain or set. Used to decide whether it
 * must be decoded. Moves from message to message; must not be kept. For one thread.
 */
public final class NftMessageView {
    private static final int HEADERS = 20;
    private static final int ATTR_HEADER = 4;
    private static final int ATTR_TYPE_MASK = 0x3fff;
    /** {@code NFTA_TABLE_NAME}, {@code NFTA_CHAIN_TABLE}, {@code NFTA_RULE_TABLE}, {@code NFTA_SET_TABLE}, …: always number 1. */
    private static final int TABLE = 1;

    private static final int CHAIN_NAME = 3;
    /** {@code NFTA_RULE_CHAIN}, {@code NFTA_SET_NAME}, {@code NFTA_SET_ELEM_LIST_SET}. */
    private static final int OTHER_NAME = 2;

    private ByteBuffer datagram = ByteBuffer.allocate(0);
    private int at;
    private int end;

    /**
     * Moves to the message that begins at {@code offset}.
     *
     * @param bytes in native byte order
     * @param length of header and body, at least 16
     */
    public NftMessageView moveTo(ByteBuffer bytes, int offset, int length) {
        datagram = bytes;
        at = offset;
        end = offset + length;
        return this;
    }

    /** A type of {@link NftMessageType}, or of another subsystem. */
    public int type() {
        return datagram.getShort(at + 4) & 0xffff;
    }

    /** The number of its family; -1 when the message is too short. */
    public int family() {
        return end - at < HEADERS ? -1 : datagram.get(at + 16) & 0xff;
    }

    /** The port id of the socket that made the change. */
    public int portId() {
        return datagram.getInt(at + 12);
    }

    /** Whether the message is about {@code table} or something in it. */
    public boolean isIn(TableName table) {
        if (family() != table.family().number()) {
            return false;
        }
        int attr = attr(TABLE);
        return attr >= 0 && isText(attr, table.name());
    }

    /** Whether the name of the chain, for a chain or a rule, or of the set, for a set or elements, begins with {@code ascii}. */
    public boolean nameBegins(String ascii) {
        int attr = nameAttr();
        return attr >= 0 && begins(attr, ascii);
    }

    /**
     * The name of the chain or set the message is about.
     *
     * @throws DecodeException when it has none
     */
    public String name() throws DecodeException {
        int attr = nameAttr();
        if (attr < 0) {
            throw new DecodeException("nf_tables message of type " + type() + ": no name");
        }
        byte[] name = new byte[Math.max(0, textLength(attr))];
        datagram.get(attr + ATTR_HEADER, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    private int nameAttr() {
        boolean chain = type() == NftMessageType.NEW_CHAIN || type() == NftMessageType.DELETE_CHAIN;
        return attr(chain ? CHAIN_NAME : OTHER_NAME);
    }

    /** Offset of an attribute; -1 when there is none. */
    private int attr(int wanted) {
        int next = at + HEADERS;
        while (next + ATTR_HEADER <= end) {
            int length = datagram.getShort(next) & 0xffff;
            if (length < ATTR_HEADER || next + length > end) {
                return -1;
            }
            if ((datagram.getShort(next + 2) & ATTR_TYPE_MASK) == wanted) {
                return next;
            }
            next += (length + 3) & ~3;
        }
        return -1;
    }

    /** Length without the zero byte at the end. */
    private int textLength(int attr) {
        return (datagram.getShort(attr) & 0xffff) - ATTR_HEADER - 1;
    }

    private boolean isText(int attr, String ascii) {
        return textLength(attr) == ascii.length() && begins(attr, ascii);
    }

    private boolean begins(int attr, String ascii) {
        if (textLength(attr) < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (datagram.get(attr + ATTR_HEADER + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
