package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Writes the values of objects in few bytes. Numbers take seven bits a byte, the lowest first. A checksum follows the last value. */
final class SnapshotOutput implements Closeable {
    private static final int SIZE = 1 << 16;
    /** The longest number takes ten bytes. */
    private static final int LONGEST = 10;

    private final OutputStream out;
    private final CRC32C checksum = new CRC32C();
    private final byte[] buffer = new byte[SIZE];
    private int filled;
    /** The number of each name that was written, from 1 on. */
    private final Map<String, Integer> names = new HashMap<>();

    SnapshotOutput(OutputStream out) {
        this.out = out;
    }

    void number(long number) throws IOException {
        room(LONGEST);
        long rest = number;
        while ((rest & ~0x7f) != 0) {
            buffer[filled++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[filled++] = (byte) rest;
    }

    void bytes(byte[] bytes, int length) throws IOException {
        for (int at = 0; at < length; ) {
            room(1);
            int part = Math.min(length - at, SIZE - filled);
            System.arraycopy(bytes, at, buffer, filled, part);
            filled += part;
            at += part;
        }
    }

    void flag(boolean flag) throws IOException {
        number(flag ? 1 : 0);
    }

    void choice(Enum<?> value) throws IOException {
        name(value.name());
    }

    /** Writes a text that is unlikely to come again. */
    void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        bytes(bytes, bytes.length);
    }

    /** Writes a text that is likely to come again: from the second time on, only its number. */
    void name(String name) throws IOException {
        Integer known = names.putIfAbsent(name, names.size() + 1);
        number(known == null ? 0 : known);
        if (known == null) {
            text(name);
        }
    }

    void optionalText(Optional<String> text) throws IOException {
        flag(text.isPresent());
        if (text.isPresent()) {
            text(text.get());
        }
    }

    void ip(Ip ip) throws IOException {
        flag(ip.family() == IpFamily.IPV6);
        byte[] bytes = ip.toBytes();
        bytes(bytes, bytes.length);
    }

    void protocol(Proto protocol) throws IOException {
        number(protocol.number());
    }

    private void room(int wanted) throws IOException {
        if (SIZE - filled < wanted) {
            flush();
        }
    }

    private void flush() throws IOException {
        checksum.update(buffer, 0, filled);
        out.write(buffer, 0, filled);
        filled = 0;
    }

    /** Writes the checksum, in eight bytes, and closes the stream. */
    @Override
    public void close() throws IOException {
        try (out) {
            flush();
            long sum = checksum.getValue();
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                buffer[filled++] = (byte) (sum >>> shift);
            }
            out.write(buffer, 0, filled);
        }
    }
}
