package io.dualstackd.dns.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A domain name: labels of 1 to 63 bytes, at most 255 bytes with their lengths. Names that differ only in the case of ASCII letters are
 * equal; each keeps its original case.
 */
public final class DnsName {
    /** The longest name on the wire, in bytes. */
    static final int MAX_BYTES = 255;

    static final int MAX_LABEL = 63;

    /** Heap size of a name's two objects, without its bytes. */
    private static final int OBJECT_BYTES = 40;

    public static final DnsName ROOT = new DnsName(new byte[1]);

    /** Lengths and labels, with the zero at the end. */
    private final byte[] wire;

    private final int hash;

    private DnsName(byte[] wire) {
        this.wire = wire;
        int sum = 0;
        for (byte b : wire) {
            sum = 31 * sum + lower(b);
        }
        this.hash = sum;
    }

    /** Takes ownership of bytes that are known to be a valid name. */
    static DnsName trusted(byte[] wire) {
        return new DnsName(wire);
    }

    /**
     * Reads {@code kube-dns.kube-system.svc.cluster.local}, with or without the dot at the end; {@code \.} and {@code \046} are a dot in a
     * label.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    public static DnsName parse(String text) {
        if (text.equals(".") || text.isEmpty()) {
            return ROOT;
        }
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        ByteArrayOutputStream label = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                append(wire, label, text);
            } else if (c == '\\') {
                char next = i + 1 < text.length() ? text.charAt(i + 1) : 0;
                if (next >= '0' && next <= '9') {
                    label.write(octet(text, i + 1));
                    i += 3;
                } else if (next > ' ' && next < 0x7f) {
                    label.write(next);
                    i++;
                } else {
                    throw new IllegalArgumentException("\"" + text + "\" is not a domain name: nothing follows \"\\\"");
                }
            } else if (c > ' ' && c < 0x7f) {
                label.write(c);
            } else {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not a domain name: it may only have ASCII characters without blanks");
            }
        }
        if (label.size() > 0) {
            append(wire, label, text);
        }
        wire.write(0);
        if (wire.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a domain name: it is longer than 253 characters");
        }
        return new DnsName(wire.toByteArray());
    }

    private static int octet(String text, int at) {
        String digits = text.substring(at, Math.min(at + 3, text.length()));
        boolean plain = digits.length() == 3 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (plain && Integer.parseInt(digits) < 256) {
            return Integer.parseInt(digits);
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is not a domain name: \"\\\" and digits are three digits up to 255");
    }

    private static void append(ByteArrayOutputStream wire, ByteArrayOutputStream label, String text) {
        if (label.size() == 0 || label.size() > MAX_LABEL) {
            throw new IllegalArgumentException("\"" + text + "\" is not a domain name: a label has 1 to 63 characters");
        }
        wire.write(label.size());
        wire.writeBytes(label.toByteArray());
        label.reset();
    }

    /** The number of labels; the root has none. */
    public int labels() {
        int count = 0;
        for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
            count++;
        }
        return count;
    }

    /** The label, counted from the left, in lower case; bytes beyond ASCII become the characters of that number. */
    public String label(int index) {
        int at = offset(index);
        byte[] lower = new byte[wire[at]];
        for (int i = 0; i < lower.length; i++) {
            lower[i] = (byte) lower(wire[at + 1 + i]);
        }
        return new String(lower, StandardCharsets.ISO_8859_1);
    }

    private int offset(int index) {
        int at = 0;
        for (int i = 0; i < index; i++) {
            at += wire[at] + 1;
        }
        return at;
    }

    /** Whether this is {@code zone} or a name in it. */
    public boolean isIn(DnsName zone) {
        int left = wire.length;
        int at = 0;
        while (left > zone.wire.length) {
            int step = wire[at] + 1;
            at += step;
            left -= step;
        }
        return left == zone.wire.length && sameFrom(at, zone);
    }

    private boolean sameFrom(int from, DnsName other) {
        for (int i = 0; i < other.wire.length; i++) {
            if (lower(wire[from + i]) != lower(other.wire[i])) {
                return false;
            }
        }
        return true;
    }

    /** The name made of the last {@code labels} labels. */
    public DnsName last(int labels) {
        int skip = labels() - labels;
        return skip == 0 ? this : new DnsName(Arrays.copyOfRange(wire, offset(skip), wire.length));
    }

    /** Returns {@code label} before this name; empty when the label or the name would be too long. */
    public Optional<DnsName> child(String label) {
        byte[] bytes = label.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length == 0 || bytes.length > MAX_LABEL || wire.length + bytes.length + 1 > MAX_BYTES) {
            return Optional.empty();
        }
        byte[] child = new byte[wire.length + bytes.length + 1];
        child[0] = (byte) bytes.length;
        System.arraycopy(bytes, 0, child, 1, bytes.length);
        System.arraycopy(wire, 0, child, bytes.length + 1, wire.length);
        return Optional.of(new DnsName(child));
    }

    /** The heap size in bytes. */
    int heapBytes() {
        return OBJECT_BYTES + wire.length;
    }

    /** The number of bytes on the wire, without compression. */
    int size() {
        return wire.length;
    }

    byte at(int index) {
        return wire[index];
    }

    void copyTo(byte[] to, int at) {
        System.arraycopy(wire, 0, to, at, wire.length);
    }

    /** Compares with regard to case. */
    boolean isExactly(DnsName other) {
        return Arrays.equals(wire, other.wire);
    }

    private static int lower(byte b) {
        // Lengths are below 64 and so below 'A'.
        return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof DnsName name
                && hash == name.hash
                && wire.length == name.wire.length
                && sameFrom(0, name);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The form that {@link #parse} reads, with the dot at the end. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
            for (int i = at + 1; i <= at + wire[at]; i++) {
                int c = wire[i] & 0xff;
                if (c <= ' ' || c >= 0x7f) {
                    text.append(String.format(Locale.ROOT, "\\%03d", c));
                } else if (c == '.' || c == '\\') {
                    text.append('\\').append((char) c);
                } else {
                    text.append((char) c);
                }
            }
            text.append('.');
        }
        return text.isEmpty() ? "." : text.toString();
    }
}
