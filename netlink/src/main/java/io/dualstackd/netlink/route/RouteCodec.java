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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Bodies of {@code RTM_NEWROUTE}, {@code RTM_DELROUTE}, {@code RTM_GETROUTE}. */
public final class RouteCodec {
    private static final Attr.Address DST = new Attr.Address(1, "RTA_DST");
    private static final Attr.Address SRC = new Attr.Address(2, "RTA_SRC");
    private static final Attr.U32 IIF = new Attr.U32(3, "RTA_IIF");
    private static final Attr.U32 OIF = new Attr.U32(4, "RTA_OIF");
    private static final Attr.Address GATEWAY = new Attr.Address(5, "RTA_GATEWAY");
    private static final Attr.U32 PRIORITY = new Attr.U32(6, "RTA_PRIORITY");
    private static final Attr.Address PREFSRC = new Attr.Address(7, "RTA_PREFSRC");
    private static final Attr.Payload MULTIPATH = new Attr.Payload(9, "RTA_MULTIPATH");
    private static final Attr.U32 TABLE_ID = new Attr.U32(15, "RTA_TABLE");
    private static final Attr.U32 MARK = new Attr.U32(16, "RTA_MARK");
    private static final Attr.Payload VIA = new Attr.Payload(18, "RTA_VIA");
    private static final AttrTable TABLE =
            AttrTable.of("RTA", DST, SRC, OIF, GATEWAY, PRIORITY, PREFSRC, MULTIPATH, TABLE_ID, VIA);
    private static final AttrTable HOP = AttrTable.of("RTA of RTA_MULTIPATH", GATEWAY, VIA);

    /** Bytes of {@code struct rtnexthop}. */
    private static final int HOP_HEADER = 8;

    /** {@code RT_TABLE_COMPAT}: used in the header's byte for a table number that does not fit. */
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
        Optional<Ip> gateway = gateway(reader, family, attrs);
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
                attrs.has(MULTIPATH) ? hops(attrs.reader(MULTIPATH), family) : List.of(),
                attrs.unknown());
    }

    private static Optional<Ip> gateway(NlReader reader, IpFamily family, Attrs attrs) throws DecodeException {
        if (attrs.has(VIA)) {
            NlReader via = attrs.reader(VIA);
            int number = via.u16();
            Ip router = via.ip(via.remaining());
            if (router.family().number() != number) {
                throw via.error("want an address of family " + number + ", got " + router);
            }
            return Optional.of(router);
        }
        Optional<Ip> router = attrs.find(GATEWAY);
        if (router.isPresent()) {
            Families.check(reader, family, router.get());
        }
        return router;
    }

    private static List<NextHop> hops(NlReader reader, IpFamily family) throws DecodeException {
        List<NextHop> hops = new ArrayList<>();
        while (reader.remaining() > 0) {
            int length = reader.u16();
            int flags = reader.u8();
            int weight = reader.u8() + 1;
            int link = reader.u32();
            if (length < HOP_HEADER) {
                throw reader.error("want a next hop of at least " + HOP_HEADER + " bytes, got " + length);
            }
            NlReader rest = reader.bytes(length - HOP_HEADER).reader(reader.what());
            Attrs attrs = rest.attrs(HOP);
            hops.add(new NextHop(link, weight, flags, gateway(rest, family, attrs), attrs.unknown()));
            reader.skip(Math.min(reader.remaining(), -length & 3));
        }
        return hops;
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
        route.gateway().ifPresent(ip -> writeGateway(writer, route.family(), ip));
        if (!route.hops().isEmpty()) {
            writer.payload(MULTIPATH, body -> route.hops().forEach(hop -> write(body, route.family(), hop)));
        }
        route.link().ifPresent(index -> writer.put(OIF, index));
        route.others().forEach(writer::put);
    }

    private static void writeGateway(NlWriter writer, IpFamily family, Ip router) {
        if (router.family() == family) {
            writer.put(GATEWAY, router);
        } else {
            writer.payload(VIA, body -> {
                body.u16(router.family().number());
                body.ip(router);
            });
        }
    }

    private static void write(NlWriter writer, IpFamily family, NextHop hop) {
        NlWriter attrs = new NlWriter(64);
        hop.gateway().ifPresent(ip -> writeGateway(attrs, family, ip));
        hop.others().forEach(attrs::put);
        writer.u16(HOP_HEADER + attrs.length());
        writer.u8(hop.flags());
        writer.u8(hop.weight() - 1);
        writer.u32(hop.link());
        writer.bytes(attrs.toBytes());
    }

    /**
     * Writes a request for the route of a packet.
     *
     * @param in index of the link it is received on; empty for one that this host sends
     */
    public static void writeLookup(NlWriter writer, Ip destination, Optional<Ip> source, OptionalInt in, int mark) {
        int bits = destination.family().bits();
        writer.u8(destination.family().number());
        writer.u8(bits);
        writer.u8(source.isPresent() ? bits : 0);
        writer.zeros(9);
        writer.put(DST, destination);
        source.ifPresent(ip -> writer.put(SRC, ip));
        in.ifPresent(index -> writer.put(IIF, index));
        if (mark != 0) {
            writer.put(MARK, mark);
        }
    }

    /** Requests all routes of a family, in all tables. */
    public static void writeListAll(NlWriter writer, IpFamily family) {
        writer.u8(family.number());
        writer.zeros(11);
    }

    /**
     * Requests the unicast routes of one table; a kernel before 5.0, which does not support such filters, returns all routes. There is no
     * filter for the destination.
     */
    public static void writeListUnicast(NlWriter writer, IpFamily family, int table) {
        writer.u8(family.number());
        writer.zeros(3);
        writer.u8(table >>> 8 == 0 ? table : SEE_ATTRIBUTE);
        writer.zeros(2);
        writer.u8(RouteType.UNICAST.number());
        writer.u32(0);
        writer.put(TABLE_ID, table);
    }

    private static OptionalInt number(Attrs attrs, Attr.U32 attr) throws DecodeException {
        return attrs.has(attr) ? OptionalInt.of(attrs.get(attr)) : OptionalInt.empty();
    }
}
