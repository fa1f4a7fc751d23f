package io.dualstackd.netlink.ip;

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
        return switch (bytes.length) {
            case 4 ->
                new V4((bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff));
            case 16 -> new V6(eight(bytes, 0), eight(bytes, 8));
            default -> throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length);
        };
    }

    /** {@code 0.0.0.0} or {@code ::}. */
    static Ip unspecified(IpFamily family) {
        return family == IpFamily.IPV4 ? new V4(0) : new V6(0, 0);
    }

    /** The address in network order, 4 or 16 bytes, a fresh array. */
    default byte[] toBytes() {
        byte[] bytes = new byte[family().bytes()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) byteAt(i);
        }
        return bytes;
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

    private static long eight(byte[] bytes, int from) {
        long value = 0;
        for (int i = from; i < from + 8; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value;
    }
}
