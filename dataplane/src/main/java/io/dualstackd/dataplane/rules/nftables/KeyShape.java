package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.Typeof;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The parts of the keys of a set or map. */
public enum KeyShape {
    /** {@code ip daddr}. */
    ADDRESS(Part.DESTINATION),
    /** {@code ip daddr . meta l4proto . th dport}: a destination that is an address of a Service. */
    SERVICE_IP(Part.DESTINATION, Part.PROTOCOL, Part.PORT),
    /** {@code meta l4proto . th dport}: a destination that is a port of the node. */
    NODE_PORT(Part.PROTOCOL, Part.PORT),
    /** {@code ip daddr . meta l4proto . th dport . ip saddr}: a source that may reach a destination. */
    SOURCE(Part.DESTINATION, Part.PROTOCOL, Part.PORT, Part.SOURCE),
    /** {@code ip saddr . ip daddr . meta l4proto . th dport}: an endpoint that connects to itself. */
    HAIRPIN(Part.SOURCE, Part.DESTINATION, Part.PROTOCOL, Part.PORT),
    /** {@link #SERVICE_IP} and a random number. */
    SERVICE_IP_SLOT(Part.DESTINATION, Part.PROTOCOL, Part.PORT, Part.SLOT),
    /** {@link #NODE_PORT} and a random number. */
    NODE_PORT_SLOT(Part.PROTOCOL, Part.PORT, Part.SLOT);

    /** The bound of random numbers; {@code nft} prints it as part of a map's type and gives it no meaning. */
    public static final int SLOTS = 65536;

    /** One part of a key. */
    public enum Part {
        SOURCE,
        DESTINATION,
        PROTOCOL,
        PORT,
        SLOT;

        NftType type(IpFamily family) {
            return switch (this) {
                case SOURCE, DESTINATION -> NftType.address(family);
                case PROTOCOL -> NftType.INET_PROTO;
                case PORT -> NftType.INET_SERVICE;
                case SLOT -> NftType.INTEGER;
            };
        }

        int length(IpFamily family) {
            return switch (this) {
                case SOURCE, DESTINATION -> family.bytes();
                case PROTOCOL, PORT, SLOT -> Integer.BYTES;
            };
        }

        Typeof typeof(IpFamily family) {
            return switch (this) {
                case SOURCE -> Typeof.source(family);
                case DESTINATION -> Typeof.destination(family);
                case PROTOCOL -> Typeof.MetaKey.L4PROTO;
                case PORT -> Typeof.Header.TH_DPORT;
                case SLOT -> new Typeof.RandomNumber(SLOTS);
            };
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Part> parts;

    private final int ipv4Length;
    private final int ipv6Length;

    KeyShape(Part... parts) {
        this.parts = List.of(parts);
        this.ipv4Length = length(IpFamily.IPV4, parts);
        this.ipv6Length = length(IpFamily.IPV6, parts);
    }

    private static int length(IpFamily family, Part... parts) {
        int length = 0;
        for (Part part : parts) {
            length += part.length(family);
        }
        return length;
    }

    /** The length of a key in bytes. */
    public int length(IpFamily family) {
        return family == IpFamily.IPV4 ? ipv4Length : ipv6Length;
    }

    /** In the order of the key's bytes. */
    public List<Part> parts() {
        return parts;
    }

    public NftType type(IpFamily family) {
        List<NftType> types = each(part -> part.type(family));
        return types.size() == 1 ? types.getFirst() : NftType.concat(types.toArray(NftType[]::new));
    }

    public Typeof typeof(IpFamily family) {
        List<Typeof> types = each(part -> part.typeof(family));
        return types.size() == 1 ? types.getFirst() : new Typeof.Concat(types);
    }

    private <T> List<T> each(Function<Part, T> what) {
        List<T> each = new ArrayList<>(parts.size());
        parts.forEach(part -> each.add(what.apply(part)));
        return each;
    }
}
