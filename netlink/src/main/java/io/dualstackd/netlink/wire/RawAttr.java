package io.dualstackd.netlink.wire;

/**
 * An attribute kept as the kernel sent it, because no table declares it. Written back unchanged.
 *
 * @param type the whole {@code nla_type} with its flag bits
 */
public record RawAttr(int type, Bytes payload) {
    /** The number without {@code NLA_F_NESTED} and {@code NLA_F_NET_BYTEORDER}. */
    public int number() {
        return type & Nla.TYPE_MASK;
    }

    @Override
    public String toString() {
        return "#" + number() + "=0x" + payload;
    }
}
