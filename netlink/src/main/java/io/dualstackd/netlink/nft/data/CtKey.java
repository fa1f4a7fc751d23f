package io.dualstackd.netlink.nft.data;

/** A property of the packet's connection ({@code enum nft_ct_keys}). */
public record CtKey(int number) {
    public static final CtKey STATE = new CtKey(0);
    public static final CtKey DIRECTION = new CtKey(1);
    public static final CtKey STATUS = new CtKey(2);
    public static final CtKey MARK = new CtKey(3);
    public static final CtKey SRC = new CtKey(8);
    public static final CtKey DST = new CtKey(9);
    public static final CtKey PROTOCOL = new CtKey(10);
    public static final CtKey PROTO_SRC = new CtKey(11);
    public static final CtKey PROTO_DST = new CtKey(12);

    private static final String[] NAMES =
            ("state direction status mark secmark expiration helper l3protocol src dst protocol proto_src "
                            + "proto_dst label packets bytes avgpkt zone event src_ip dst_ip src_ip6 dst_ip6 id")
                    .split(" ", -1);

    @Override
    public String toString() {
        return number >= 0 && number < NAMES.length ? NAMES[number] : "ct" + number;
    }
}
