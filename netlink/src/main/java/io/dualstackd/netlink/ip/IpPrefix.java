package io.dualstackd.netlink.ip;

/**
 * A network: an address whose bits beyond {@code length} are zero.
 *
 * @param length 0 to 32 for IPv4, 0 to 128 for IPv6
 */
public record IpPrefix(Ip address, int length) implements Comparable<IpPrefix> {
    public IpPrefix {
        if (length < 0 || length > address.family().bits()) {
            throw new IllegalArgumentException("prefix length " + length + " is not in 0.."
                    + address.family().bits() + " for " + address.family());
        }
        address = mask(address, length);
    }

    /** The prefix of exactly one address. */
    public static IpPrefix host(Ip ip) {
        return new IpPrefix(ip, ip.family().bits());
    }

    /**
     * Reads {@code 10.0.0.0/8} strictly; host bits are allowed and cleared.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    public static IpPrefix parse(String text) {
        return parse(text, false);
    }

    /**
     * Reads a prefix as {@link #parse(String)}, with leading zeros in octets and length allowed: {@code 203.0.113.000/025}.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    public static IpPrefix parseLenient(String text) {
        return parse(text, true);
    }

    private static IpPrefix parse(String text, boolean lenient) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not a network: no \"/\" and prefix length");
        }
        Ip ip = lenient ? Ip.parseLenient(text.substring(0, slash)) : Ip.parse(text.substring(0, slash));
        String digits = text.substring(slash + 1);
        boolean plain = !digits.isEmpty()
                && digits.length() <= 3
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (lenient || digits.length() == 1 || digits.charAt(0) != '0');
        int length = plain ? Integer.parseInt(digits) : -1;
        if (length < 0 || length > ip.family().bits()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a network: the prefix length must be 0 to "
                    + ip.family().bits());
        }
        return new IpPrefix(ip, length);
    }

    public IpFamily family() {
        return address.family();
    }

    /** True when {@code ip} is of this family and in this network. */
    public boolean contains(Ip ip) {
        return ip.family() == family() && mask(ip, length).equals(address);
    }

    /** True when {@code other} is of this family and has no address outside this network; a prefix contains itself. */
    public boolean contains(IpPrefix other) {
        return other.length >= length && contains(other.address);
    }

    /** The last address of the network, in which all host bits are one. */
    public Ip lastAddress() {
        return switch (address) {
            case Ip.V4(int bits) -> new Ip.V4(length == 32 ? bits : bits | -1 >>> length);
            case Ip.V6(long high, long low) -> new Ip.V6(high | ~ones(length), low | ~ones(length - 64));
        };
    }

    /** The netmask as an address: {@code 255.0.0.0} for length 8. */
    public Ip netmask() {
        return mask(family() == IpFamily.IPV4 ? new Ip.V4(-1) : new Ip.V6(-1, -1), length);
    }

    private static Ip mask(Ip ip, int length) {
        return switch (ip) {
            case Ip.V4(int bits) -> new Ip.V4(length == 0 ? 0 : bits & -1 << (32 - length));
            case Ip.V6(long high, long low) -> new Ip.V6(high & ones(length), low & ones(length - 64));
        };
    }

    /** Returns a word whose first {@code count} bits are one; 0 or less gives none, 64 or more gives all. */
    private static long ones(int count) {
        return count <= 0 ? 0 : count >= 64 ? -1L : -1L << (64 - count);
    }

    @Override
    public int compareTo(IpPrefix other) {
        int byAddress = address.compareTo(other.address);
        return byAddress != 0 ? byAddress : Integer.compare(length, other.length);
    }

    @Override
    public String toString() {
        return address + "/" + length;
    }
}
