package io.dualstackd.netlink.nft.userdata;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The type of a set's keys or data, as numbered by the {@code nft} tool ({@code enum datatypes} of nftables); the kernel only stores the
 * number.
 *
 * @param number of the type; a concatenation has six bits per part
 * @param parts bytes of each part; one for a plain type
 */
public record NftType(String name, int number, List<Integer> parts) {
    public static final NftType VERDICT = new NftType("verdict", 0xffffff00, List.of(0));
    public static final NftType INTEGER = plain("integer", 4, 4);
    public static final NftType IPV4_ADDR = plain("ipv4_addr", 7, 4);
    public static final NftType IPV6_ADDR = plain("ipv6_addr", 8, 16);
    public static final NftType INET_PROTO = plain("inet_proto", 12, 1);
    public static final NftType INET_SERVICE = plain("inet_service", 13, 2);
    public static final NftType MARK = plain("mark", 19, 4);
    public static final NftType IFNAME = plain("ifname", 41, 16);

    private static final int BITS = 6;

    public NftType {
        parts = List.copyOf(parts);
    }

    private static NftType plain(String name, int number, int length) {
        return new NftType(name, number, List.of(length));
    }

    /** {@code ipv4_addr} or {@code ipv6_addr}. */
    public static NftType address(IpFamily family) {
        return family == IpFamily.IPV4 ? IPV4_ADDR : IPV6_ADDR;
    }

    /** Returns the concatenation of plain types: at most five, as the number has 32 bits. */
    public static NftType concat(NftType... types) {
        int number = 0;
        List<Integer> parts = new ArrayList<>();
        StringJoiner names = new StringJoiner(" . ");
        for (NftType type : types) {
            number = number << BITS | type.number;
            parts.addAll(type.parts);
            names.add(type.name);
        }
        return new NftType(names.toString(), number, parts);
    }

    public boolean isConcatenation() {
        return parts.size() > 1;
    }

    /** Length of a value in bytes. In a concatenation each part is padded to a multiple of four. */
    public int length() {
        return isConcatenation() ? parts.stream().mapToInt(NftType::padded).sum() : parts.getFirst();
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }

    /**
     * Returns a value: the parts one after the other, each padded.
     *
     * @throws IllegalArgumentException when number or size of the values do not fit
     */
    public Bytes value(Bytes... values) {
        if (values.length != parts.size()) {
            throw new IllegalArgumentException(name + " has " + parts.size() + " parts, got " + values.length);
        }
        NlWriter writer = new NlWriter(64);
        for (int i = 0; i < values.length; i++) {
            int want = parts.get(i);
            if (values[i].length() != want) {
                throw new IllegalArgumentException(
                        "part " + (i + 1) + " of " + name + " has " + want + " bytes, got " + values[i].length());
            }
            writer.bytes(values[i]);
            if (isConcatenation()) {
                writer.zeros(padded(want) - want);
            }
        }
        return writer.toBytes();
    }

    @Override
    public String toString() {
        return name;
    }
}
