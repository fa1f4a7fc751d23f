package io.dualstackd.netlink.ip;

/** An address family. The number is {@code AF_INET}/{@code AF_INET6}, which is also {@code NFPROTO_IPV4}/{@code NFPROTO_IPV6}. */
public enum IpFamily {
    IPV4("IPv4", 2, 32),
    IPV6("IPv6", 10, 128);

    private final String label;
    private final int number;
    private final int bits;

    IpFamily(String label, int number, int bits) {
        this.label = label;
        this.number = number;
        this.bits = bits;
    }

    /** {@code AF_INET} (2) or {@code AF_INET6} (10), from {@code linux/socket.h}. */
    public int number() {
        return number;
    }

    /** Bits of an address: 32 or 128. */
    public int bits() {
        return bits;
    }

    /** Bytes of an address: 4 or 16. */
    public int bytes() {
        return bits / 8;
    }

    /** The other family. */
    public IpFamily other() {
        return this == IPV4 ? IPV6 : IPV4;
    }

    /** {@code IPv4} or {@code IPv6}, as Kubernetes writes it. */
    @Override
    public String toString() {
        return label;
    }
}
