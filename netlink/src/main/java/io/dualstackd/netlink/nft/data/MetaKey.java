package io.dualstackd.netlink.nft.data;

/** A property of a packet that is not in its bytes ({@code enum nft_meta_keys}). */
public record MetaKey(int number) {
    public static final MetaKey LEN = new MetaKey(0);
    public static final MetaKey PROTOCOL = new MetaKey(1);
    public static final MetaKey PRIORITY = new MetaKey(2);
    public static final MetaKey MARK = new MetaKey(3);
    public static final MetaKey IIF = new MetaKey(4);
    public static final MetaKey OIF = new MetaKey(5);
    public static final MetaKey IIFNAME = new MetaKey(6);
    public static final MetaKey OIFNAME = new MetaKey(7);
    /** Whether the way of the packet is reported, see {@code nft.trace}. */
    public static final MetaKey NFTRACE = new MetaKey(12);

    public static final MetaKey NFPROTO = new MetaKey(15);
    public static final MetaKey L4PROTO = new MetaKey(16);
    public static final MetaKey PKTTYPE = new MetaKey(19);
    public static final MetaKey PRANDOM = new MetaKey(24);

    private static final String[] NAMES =
            ("len protocol priority mark iif oif iifname oifname iftype oiftype skuid skgid nftrace "
                            + "rtclassid secmark nfproto l4proto bri_iifname bri_oifname pkttype cpu iifgroup oifgroup "
                            + "cgroup prandom secpath iifkind oifkind bri_iifpvid bri_iifvproto time day hour sdif sdifname")
                    .split(" ", -1);

    @Override
    public String toString() {
        return number >= 0 && number < NAMES.length ? NAMES[number] : "meta" + number;
    }
}
