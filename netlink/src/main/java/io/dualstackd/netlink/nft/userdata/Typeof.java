package io.dualstackd.netlink.nft.userdata;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.function.Consumer;

/**
 * The expression that defines the type of a set's keys or data, as {@code nft} stores it in a set's user data for {@code typeof}: without
 * it nft cannot print keys whose type has no name, like random numbers. The numbers are those of the nft tool ({@code enum expr_types},
 * {@code enum proto_desc_id}).
 */
public sealed interface Typeof {
    /** A field of a packet header. */
    record Header(int protocol, int field) implements Typeof {
        public static final Header IP_SADDR = new Header(12, 11);
        public static final Header IP_DADDR = new Header(12, 12);
        public static final Header IP6_SADDR = new Header(13, 8);
        public static final Header IP6_DADDR = new Header(13, 9);
        /** {@code th sport}: the source port, whatever the transport protocol. */
        public static final Header TH_SPORT = new Header(11, 1);
        /** {@code th dport}. */
        public static final Header TH_DPORT = new Header(11, 2);
    }

    /** {@code meta …}, by {@code enum nft_meta_keys}. */
    record MetaKey(int number) implements Typeof {
        public static final MetaKey L4PROTO = new MetaKey(16);
        public static final MetaKey MARK = new MetaKey(3);
        public static final MetaKey IIFNAME = new MetaKey(6);
    }

    /** {@code numgen random mod …}. */
    record RandomNumber(int modulus) implements Typeof {}

    /** The verdict of a verdict map. */
    record ToVerdict() implements Typeof {}

    /** Several expressions, one after the other. */
    record Concat(List<Typeof> parts) implements Typeof {
        public Concat {
            parts = List.copyOf(parts);
        }
    }

    /** {@code ip daddr . meta l4proto …}. */
    static Typeof concat(Typeof... parts) {
        return new Concat(List.of(parts));
    }

    /** {@code ip daddr} or {@code ip6 daddr}. */
    static Typeof destination(IpFamily family) {
        return family == IpFamily.IPV4 ? Header.IP_DADDR : Header.IP6_DADDR;
    }

    /** {@code ip saddr} or {@code ip6 saddr}. */
    static Typeof source(IpFamily family) {
        return family == IpFamily.IPV4 ? Header.IP_SADDR : Header.IP6_SADDR;
    }

    /** Writes the two user data entries of an expression: its kind, and the data of that kind. */
    default void writeTo(NlWriter writer) {
        switch (this) {
            case Header(int protocol, int field) ->
                expression(writer, 7, inner -> {
                    UserData.put(inner, 0, protocol);
                    UserData.put(inner, 1, field);
                });
            case MetaKey(int number) -> expression(writer, 9, inner -> UserData.put(inner, 0, number));
            case RandomNumber(int modulus) ->
                expression(writer, 23, inner -> {
                    UserData.put(inner, 0, 1);
                    UserData.put(inner, 1, modulus);
                    UserData.put(inner, 2, 0);
                });
            case ToVerdict() -> expression(writer, 1, inner -> {});
            case Concat(List<Typeof> parts) ->
                expression(writer, 13, inner -> {
                    for (int i = 0; i < parts.size(); i++) {
                        UserData.nest(inner, i, parts.get(i)::writeTo);
                    }
                });
        }
    }

    private static void expression(NlWriter writer, int kind, Consumer<NlWriter> content) {
        UserData.put(writer, 0, kind);
        UserData.nest(writer, 1, content);
    }
}
