package io.dualstackd.netlink.ip;

/**
 * An IP protocol number, 0 to 255 ({@code IPPROTO_*} of {@code linux/in.h}).
 *
 * @param number the number in the IP header
 */
public record Proto(int number) implements Comparable<Proto> {
    public static final Proto ICMP = new Proto(1);
    public static final Proto TCP = new Proto(6);
    public static final Proto UDP = new Proto(17);
    public static final Proto ICMPV6 = new Proto(58);
    public static final Proto SCTP = new Proto(132);

    public Proto {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("protocol number " + number + " is not in 0..255");
        }
    }

    @Override
    public int compareTo(Proto other) {
        return Integer.compare(number, other.number);
    }

    /** The lower-case name iptables uses ({@code tcp}), or the number. */
    @Override
    public String toString() {
        return switch (number) {
            case 1 -> "icmp";
            case 6 -> "tcp";
            case 17 -> "udp";
            case 58 -> "ipv6-icmp";
            case 132 -> "sctp";
            default -> Integer.toString(number);
        };
    }
}
