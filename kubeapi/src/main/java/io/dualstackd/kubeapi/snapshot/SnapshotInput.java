package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@link SnapshotOutput} has written. The checksum was compared before. */
final class SnapshotInput implements Closeable {
    private static final int SIZE = 1 << 16;
    /** More than a text or the endpoints of a slice can have. */
    private static final int LONGEST = 1 << 26;

    private final InputStream in;
    private byte[] buffer = new byte[SIZE];
    private int at;
    private int filled;
    private final List<String> names = new ArrayList<>();

    SnapshotInput(InputStream in) {
        this.in = in;
    }

    int number() throws IOException {
        return Math.toIntExact(longNumber());
    }

    long longNumber() throws IOException {
        long number = 0;
        for (int shift = 0; ; shift += 7) {
            have(1);
            byte next = buffer[at++];
            number |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return number;
            }
        }
    }

    byte[] bytes(int length) throws IOException {
        have(length);
        byte[] bytes = new byte[length];
        System.arraycopy(buffer, at, bytes, 0, length);
        at += length;
        return bytes;
    }

    boolean flag() throws IOException {
        return longNumber() != 0;
    }

    <E extends Enum<E>> E choice(E[] values) throws IOException {
        String name = name();
        for (E value : values) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new IOException("not one of the values of a field: " + name);
    }

    String text() throws IOException {
        int length = number();
        have(length);
        String text = new String(buffer, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    String name() throws IOException {
        int number = number();
        if (number == 0) {
            // As all names that are read from the server.
            names.add(text().intern());
            return names.getLast();
        }
        return names.get(number - 1);
    }

    Optional<String> optionalText() throws IOException {
        return flag() ? Optional.of(text()) : Optional.empty();
    }

    Ip ip() throws IOException {
        int length = flag() ? 16 : 4;
        have(length);
        at += length;
        return Ip.ofBytes(buffer, at - length, length);
    }

    Proto protocol() throws IOException {
        return switch (number()) {
            case 6 -> Proto.TCP;
            case 17 -> Proto.UDP;
            case 132 -> Proto.SCTP;
            default -> throw new IOException("not a protocol of a Service");
        };
    }

    /** Makes sure that so many bytes are in the buffer. */
    private void have(int length) throws IOException {
        if (filled - at >= length) {
            return;
        }
        if (length > LONGEST) {
            throw new IOException("a part of " + length + " bytes");
        }
        byte[] to = length > buffer.length ? new byte[length] : buffer;
        System.arraycopy(buffer, at, to, 0, filled - at);
        filled -= at;
        at = 0;
        buffer = to;
        while (filled < length) {
            int read = in.read(buffer, filled, buffer.length - filled);
            if (read < 0) {
                throw new EOFException("it is cut off");
            }
            filled += read;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
