package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.ip.IpFamily;

/** The address family of a table, which selects its packets ({@code NFPROTO_*} of {@code linux/netfilter.h}). */
public record NftFamily(int number) {
    /** For requests only: all families. */
    public static final NftFamily ALL = new NftFamily(0);

    public static final NftFamily INET = new NftFamily(1);
    public static final NftFamily IP = new NftFamily(2);
    public static final NftFamily ARP = new NftFamily(3);
    public static final NftFamily NETDEV = new NftFamily(5);
    public static final NftFamily BRIDGE = new NftFamily(7);
    public static final NftFamily IP6 = new NftFamily(10);

    public static NftFamily of(IpFamily family) {
        return family == IpFamily.IPV4 ? IP : IP6;
    }

    /** The name in {@code nft}. */
    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "all";
            case 1 -> "inet";
            case 2 -> "ip";
            case 3 -> "arp";
            case 5 -> "netdev";
            case 7 -> "bridge";
            case 10 -> "ip6";
            default -> "family" + number;
        };
    }
}
