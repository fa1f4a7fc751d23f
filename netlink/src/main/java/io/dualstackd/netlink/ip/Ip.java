package io.dualstackd.netlink.ip;

import org.jspecify.annotations.Nullable;

/** An IPv4 or IPv6 address without zone. Ordered by family (IPv4 first), then numerically. */
public sealed interface Ip extends Comparable<Ip> {

    /** An IPv4 address; {@code bits} holds it in network order, {@code 0x0a000001} is {@code 10.0.0.1}. */
    record V4(int bits) implements Ip {
        @Override
        public IpFamily family() {
            return IpFamily.IPV4;
        }

        @Override
        public String toString() {
            return IpText.print(this);
        }

        @Override
        public int byteAt(int index) {
            return bits >>> (24 - 8 * index) & 0xff;
        }
    }

    /** An IPv6 address; {@code high} holds the first eight bytes in network order, {@code low} the last eight. */
    record V6(long high, long low) implements Ip {
        @Override
        public IpFamily family() {
            return IpFamily.IPV6;
        }

        @Override
        public String toString() {
            return IpText.print(this);
        }

        @Override
        public int byteAt(int index) {
            return (int) ((index < 8 ? high >>> (56 - 8 * index) : low >>> (120 - 8 * index)) & 0xff);
        }
    }

    IpFamily family();

    /**
     * Reads an address strictly: no leading zeros in IPv4, no zone, no surrounding blanks, no IPv4-mapped IPv6.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    static Ip parse(String text) {
        return IpText.parse(text, false);
    }

    /**
     * Reads an address as {@link #parse}, but IPv4 octets may have leading zeros and are decimal ({@code 172.30.0.041} is
     * {@code 172.30.0.41}), and IPv4-mapped IPv6 addresses become IPv4: objects stored by old API servers hold both.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    static Ip parseLenient(String text) {
        return IpText.parse(text, true);
    }

    /**
     * The address in 4 or 16 bytes in network order.
     *
     * @throws IllegalArgumentException for any other length
     */
    static Ip ofBytes(byte[] bytes) {
        return ofBytes(bytes, 0, bytes.length);
    }

    /**
     * The address in 4 or 16 bytes in network order from {@code at} on.
     *
     * @throws IllegalArgumentException for any other length
     */
    static Ip ofBytes(byte[] bytes, int at, int length) {
        return switch (length) {
            case 4 -> new V4((int) number(bytes, at, length));
            case 16 -> new V6(number(bytes, at, 8), number(bytes, at + 8, 8));
            default -> throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + length);
        };
    }

    /** {@code 0.0.0.0} or {@code ::}. */
    static Ip unspecified(IpFamily family) {
        return family == IpFamily.IPV4 ? new V4(0) : new V6(0, 0);
    }

    /**
     * Reads an address from ASCII without creating a string: IPv4 without leading zeros, IPv6 without an IPv4 part. Null for all other
     * texts, which {@link #parse} and {@link #parseLenient} decide about.
     */
    static @Nullable Ip parsePlain(byte[] text, int at, int length) {
        return IpText.parsePlain(text, at, length);
    }

    /** The address in network order, 4 or 16 bytes, a fresh array. */
    default byte[] toBytes() {
        byte[] bytes = new byte[family().bytes()];
        copyTo(bytes, 0);
        return bytes;
    }

    /** Writes the address in network order, 4 or 16 bytes. */
    default void copyTo(byte[] to, int at) {
        switch (this) {
            case V4(int bits) -> putInt(to, at, bits);
            case V6(long high, long low) -> {
                putInt(to, at, (int) (high >>> 32));
                putInt(to, at + 4, (int) high);
                putInt(to, at + 8, (int) (low >>> 32));
                putInt(to, at + 12, (int) low);
            }
        }
    }

    /** Byte {@code index} in network order, 0 to 255. */
    int byteAt(int index);

    /** {@code 127.0.0.0/8} or {@code ::1}. */
    default boolean isLoopback() {
        return switch (this) {
            case V4(int bits) -> bits >>> 24 == 127;
            case V6(long high, long low) -> high == 0 && low == 1;
        };
    }

    default boolean isUnspecified() {
        return switch (this) {
            case V4(int bits) -> bits == 0;
            case V6(long high, long low) -> high == 0 && low == 0;
        };
    }

    /** {@code 169.254.0.0/16} or {@code fe80::/10}. */
    default boolean isLinkLocal() {
        return switch (this) {
            case V4(int bits) -> bits >>> 16 == 0xa9fe;
            case V6(long high, long ignored) -> high >>> 54 == 0x3fa;
        };
    }

    /** {@code 224.0.0.0/4} or {@code ff00::/8}. */
    default boolean isMulticast() {
        return switch (this) {
            case V4(int bits) -> bits >>> 28 == 0xe;
            case V6(long high, long ignored) -> high >>> 56 == 0xff;
        };
    }

    @Override
    default int compareTo(Ip other) {
        if (family() != other.family()) {
            return family().compareTo(other.family());
        }
        return switch (this) {
            case V4(int bits) -> Integer.compareUnsigned(bits, ((V4) other).bits);
            case V6(long high, long low) -> {
                V6 that = (V6) other;
                int byHigh = Long.compareUnsigned(high, that.high);
                yield byHigh != 0 ? byHigh : Long.compareUnsigned(low, that.low);
            }
        };
    }

    private static void putInt(byte[] to, int at, int bits) {
        to[at] = (byte) (bits >>> 24);
        to[at + 1] = (byte) (bits >>> 16);
        to[at + 2] = (byte) (bits >>> 8);
        to[at + 3] = (byte) bits;
    }

    private static long number(byte[] bytes, int from, int length) {
        long value = 0;
        for (int i = from; i < from + length; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value;
    }
}
