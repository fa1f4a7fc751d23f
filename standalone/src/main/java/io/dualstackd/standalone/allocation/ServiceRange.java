package io.dualstackd.standalone.allocation;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;

/**
 * The addresses of a network that Services may have: all except the network's own address and, in IPv4, the broadcast address. Numbered
 * from 0.
 */
public record ServiceRange(IpPrefix network) {
    /** The maximum number of host bits that are counted; networks with more are counted as if they had this many. */
    private static final int COUNTED_BITS = 64;

    private static final long SMALLEST_STATIC = 16;
    private static final long LARGEST_STATIC = 256;

    /** The number of addresses: unsigned, and 2⁶⁴−1 for all networks with more. */
    public long size() {
        int bits = hostBits();
        return switch (network.address()) {
            case Ip.V4 ignored -> bits < 2 ? 0 : (1L << bits) - 2;
            case Ip.V6 ignored -> bits >= COUNTED_BITS ? -1L : (1L << bits) - 1;
        };
    }

    /** The size of the static band at the beginning: a sixteenth of the network, 16 to 256; none in the smallest networks. */
    public long staticSize() {
        int bits = hostBits();
        long whole = bits >= Long.SIZE - 1 ? Long.MAX_VALUE : 1L << bits;
        return whole <= SMALLEST_STATIC ? 0 : Math.clamp(whole / 16, SMALLEST_STATIC, LARGEST_STATIC);
    }

    /** False for IPv6 networks shorter than /64: they have addresses that no number represents, and are not allocated from. */
    public boolean isAllocatable() {
        return hostBits() <= COUNTED_BITS;
    }

    private int hostBits() {
        return network.family().bits() - network.length();
    }

    /** Address number {@code number}, which is below {@link #size}. */
    public Ip at(long number) {
        return switch (network.address()) {
            case Ip.V4(int bits) -> new Ip.V4(bits + 1 + (int) number);
            case Ip.V6(long high, long low) -> new Ip.V6(high, low + 1 + number);
        };
    }

    /** The number of an address that {@linkplain #contains is in the range}. */
    public long numberOf(Ip ip) {
        return switch (ip) {
            case Ip.V4(int bits) -> Integer.toUnsignedLong(bits - ((Ip.V4) network.address()).bits()) - 1;
            case Ip.V6(long ignored, long low) -> low - ((Ip.V6) network.address()).low() - 1;
        };
    }

    /** Whether a Service may have the address. */
    public boolean contains(Ip ip) {
        return network.contains(ip)
                && !ip.equals(network.address())
                && (ip instanceof Ip.V6 || !ip.equals(network.lastAddress()));
    }

    @Override
    public String toString() {
        return network.toString();
    }
}
