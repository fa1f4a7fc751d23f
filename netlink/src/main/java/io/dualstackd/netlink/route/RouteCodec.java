package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Optional;
import java.util.OptionalInt;

/** Bodies of {@code RTM_NEWROUTE}, {@code RTM_DELROUTE}, {@code RTM_GETROUTE}. */
public final class RouteCodec {
    private static final Attr.Address DST = new Attr.Address(1, "RTA_DST");
    private static final Attr.Address SRC = new Attr.Address(2, "RTA_SRC");
    private static final Attr.U32 OIF = new Attr.U32(4, "RTA_OIF");
    private static final Attr.Address GATEWAY = new Attr.Address(5, "RTA_GATEWAY");
    private static final Attr.U32 PRIORITY = new Attr.U32(6, "RTA_PRIORITY");
    private static final Attr.Address PREFSRC = new Attr.Address(7, "RTA_PREFSRC");
    private static final Attr.U32 TABLE_ID = new Attr.U32(15, "RTA_TABLE");
    private static final AttrTable TABLE = AttrTable.of("RTA", DST, SRC, OIF, GATEWAY, PRIORITY, PREFSRC, TABLE_ID);

    /** {@code RT_TABLE_COMPAT}: stands in the header's byte for a table number that does not fit. */
    private static final int SEE_ATTRIBUTE = 252;

    private RouteCodec() {}

    public static Route read(NlReader reader) throws DecodeException {
        IpFamily family = Families.read(reader);
        int destinationLength = Families.length(reader, family);
        int sourceLength = Families.length(reader, family);
        int tos = reader.u8();
        int table = reader.u8();
        RouteOrigin origin = new RouteOrigin(reader.u8());
        Scope scope = new Scope(reader.u8());
        RouteType type = new RouteType(reader.u8());
        int flags = reader.u32();
        Attrs attrs = reader.attrs(TABLE);
        Optional<Ip> gateway = attrs.find(GATEWAY);
        Optional<Ip> preferredSource = attrs.find(PREFSRC);
        return new Route(
                prefix(reader, family, attrs.find(DST), destinationLength),
                prefix(reader, family, attrs.find(SRC), sourceLength),
                tos,
                attrs.get(TABLE_ID, table),
                origin,
                scope,
                type,
                flags,
                number(attrs, OIF),
                gateway,
                preferredSource,
                number(attrs, PRIORITY),
                attrs.unknown());
    }

    private static IpPrefix prefix(NlReader reader, IpFamily family, Optional<Ip> ip, int length)
            throws DecodeException {
        Ip address = ip.orElse(Ip.unspecified(family));
        Families.check(reader, family, address);
        return new IpPrefix(address, length);
    }

    public static void write(NlWriter writer, Route route) {
        writer.u8(route.family().number());
        writer.u8(route.destination().length());
        writer.u8(route.source().length());
        writer.u8(route.tos());
        writer.u8(route.table() >>> 8 == 0 ? route.table() : SEE_ATTRIBUTE);
        writer.u8(route.origin().number());
        writer.u8(route.scope().number());
        writer.u8(route.type().number());
        writer.u32(route.flags());
        writer.put(TABLE_ID, route.table());
        if (route.destination().length() > 0) {
            writer.put(DST, route.destination().address());
        }
        if (route.source().length() > 0) {
            writer.put(SRC, route.source().address());
        }
        route.priority().ifPresent(metric -> writer.put(PRIORITY, metric));
        route.preferredSource().ifPresent(ip -> writer.put(PREFSRC, ip));
        route.gateway().ifPresent(ip -> writer.put(GATEWAY, ip));
        route.link().ifPresent(index -> writer.put(OIF, index));
        route.others().forEach(writer::put);
    }

    /** Asks for all routes of a family, in all tables. */
    public static void writeListAll(NlWriter writer, IpFamily family) {
        writer.u8(family.number());
        writer.zeros(11);
    }

    private static OptionalInt number(Attrs attrs, Attr.U32 attr) throws DecodeException {
        return attrs.has(attr) ? OptionalInt.of(attrs.get(attr)) : OptionalInt.empty();
    }
}
