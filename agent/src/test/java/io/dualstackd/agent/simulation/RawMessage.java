package io.dualstackd.agent.simulation;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Messages of nf_tables as bytes: what the kernel keeps of them, and sends back. */
final class RawMessage {
    static final int ACK = 0x4;
    static final int MULTI = 0x2;
    static final int ECHO = 0x8;
    static final int DUMP = 0x300;
    static final int APPEND = 0x800;

    /** {@code NFTA_SET_ELEM_LIST_ELEMENTS}. */
    private static final int ELEMENTS = 3;

    private static final int TYPE_MASK = 0x3fff;
    /** {@code struct nlmsghdr}, then {@code struct nfgenmsg}. */
    private static final int HEADERS = 20;

    private static final int HEADER = 16;

    private RawMessage() {}

    /** The attributes of a message. */
    static byte[] attrs(NlMessage message) {
        byte[] all = message.toBytes().toArray();
        return Arrays.copyOfRange(all, HEADERS, all.length);
    }

    /** The number of the family it is about. */
    static int family(NlMessage message) {
        return message.toBytes().toArray()[HEADER] & 0xff;
    }

    /** The elements in a message about elements, each with the header of its nest. */
    static List<byte[]> elements(NlMessage message) {
        return find(attrs(message), ELEMENTS).map(RawMessage::split).orElse(List.of());
    }

    /** The payload of an attribute. */
    static Optional<byte[]> find(byte[] attrs, int number) {
        return split(attrs).stream()
                .filter(attr -> (number(attr) & TYPE_MASK) == number)
                .map(attr -> Arrays.copyOfRange(attr, 4, length(attr)))
                .findFirst();
    }

    /** The text of an attribute; empty where it is missing. */
    static String text(byte[] attrs, int number) {
        return find(attrs, number)
                .map(bytes -> new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8))
                .orElse("");
    }

    /** All attributes but these. */
    static byte[] without(byte[] attrs, int... numbers) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        for (byte[] attr : split(attrs)) {
            int number = number(attr) & TYPE_MASK;
            if (Arrays.stream(numbers).noneMatch(one -> one == number)) {
                rest.writeBytes(attr);
            }
        }
        return rest.toByteArray();
    }

    private static List<byte[]> split(byte[] attrs) {
        List<byte[]> all = new ArrayList<>();
        int at = 0;
        while (at + 4 <= attrs.length) {
            int length = order(attrs).getShort(at) & 0xffff;
            int next = Math.min(attrs.length, at + ((length + 3) & ~3));
            all.add(Arrays.copyOf(Arrays.copyOfRange(attrs, at, next), (length + 3) & ~3));
            at = next;
        }
        return all;
    }

    private static int number(byte[] attr) {
        return order(attr).getShort(2) & 0xffff;
    }

    private static int length(byte[] attr) {
        return order(attr).getShort(0) & 0xffff;
    }

    /** An attribute of eight bytes in network order. */
    static byte[] u64be(int number, long value) {
        byte[] attr = new byte[12];
        order(attr).putShort(0, (short) 12).putShort(2, (short) number);
        ByteBuffer.wrap(attr).putLong(4, value);
        return attr;
    }

    /** An attribute of four bytes in network order. */
    static byte[] u32be(int number, int value) {
        byte[] attr = new byte[8];
        order(attr).putShort(0, (short) 8).putShort(2, (short) number);
        ByteBuffer.wrap(attr).putInt(4, value);
        return attr;
    }

    /** An attribute with a text and its NUL. */
    static byte[] text(int number, String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        byte[] attr = new byte[(4 + text.length + 1 + 3) & ~3];
        order(attr).putShort(0, (short) (4 + text.length + 1)).putShort(2, (short) number);
        System.arraycopy(text, 0, attr, 4, text.length);
        return attr;
    }

    /** The nest of a list of elements. */
    static byte[] list(List<byte[]> elements) {
        byte[] inside = concat(elements);
        byte[] attr = new byte[4 + inside.length];
        order(attr).putShort(0, (short) attr.length).putShort(2, (short) (ELEMENTS | 0x8000));
        System.arraycopy(inside, 0, attr, 4, inside.length);
        return attr;
    }

    static byte[] concat(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** A message about nf_tables. */
    static byte[] nft(int type, int flags, int sequence, int portId, int family, byte[]... attrs) {
        byte[] nfgenmsg = {(byte) family, 0, 0, 0};
        return message(type, flags, sequence, portId, concat(List.of(nfgenmsg, concat(List.of(attrs)))));
    }

    static byte[] message(int type, int flags, int sequence, int portId, byte[] body) {
        byte[] all = new byte[(HEADER + body.length + 3) & ~3];
        order(all)
                .putInt(0, HEADER + body.length)
                .putShort(4, (short) type)
                .putShort(6, (short) flags)
                .putInt(8, sequence)
                .putInt(12, portId);
        System.arraycopy(body, 0, all, HEADER, body.length);
        return all;
    }

    /** The same message, sent by this socket. */
    static byte[] by(int portId, NlMessage message) {
        byte[] all = message.toBytes().toArray();
        byte[] padded = Arrays.copyOf(all, (all.length + 3) & ~3);
        order(padded).putInt(12, portId);
        return padded;
    }

    /** An error, or with 0 an acknowledgement. */
    static byte[] error(NlMessage request, int errno) {
        byte[] body = new byte[20];
        order(body)
                .putInt(0, -errno)
                .putInt(4, HEADER)
                .putShort(8, (short) request.type())
                .putInt(12, request.sequence());
        return message(NlMessage.ERROR, 0x100, request.sequence(), request.portId(), body);
    }

    static byte[] done(NlMessage request) {
        return message(NlMessage.DONE, MULTI, request.sequence(), request.portId(), new byte[4]);
    }

    static List<NlMessage> split(byte[] datagram, int length) {
        try {
            return NlMessage.split(datagram, length);
        } catch (DecodeException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static ByteBuffer order(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
