package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.generic.GenericHeader;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Bodies of {@code IPVS_CMD_*}, from the generic header on. */
public final class IpvsCodec {
    private static final Attr.U16 SVC_AF = new Attr.U16(1, "IPVS_SVC_ATTR_AF");
    private static final Attr.U16 SVC_PROTOCOL = new Attr.U16(2, "IPVS_SVC_ATTR_PROTOCOL");
    /** Always 16 bytes; an IPv4 address fills the first four. */
    private static final Attr.Payload SVC_ADDR = new Attr.Payload(3, "IPVS_SVC_ATTR_ADDR");

    private static final Attr.U16be SVC_PORT = new Attr.U16be(4, "IPVS_SVC_ATTR_PORT");
    private static final Attr.U32 SVC_FWMARK = new Attr.U32(5, "IPVS_SVC_ATTR_FWMARK");
    private static final Attr.Text SVC_SCHED = new Attr.Text(6, "IPVS_SVC_ATTR_SCHED_NAME");
    /** {@code struct ip_vs_flags}: flags, and a mask of those that are set. */
    private static final Attr.Payload SVC_FLAGS = new Attr.Payload(7, "IPVS_SVC_ATTR_FLAGS");

    private static final Attr.U32 SVC_TIMEOUT = new Attr.U32(8, "IPVS_SVC_ATTR_TIMEOUT");
    /** IPv4: a mask in network order. */
    private static final Attr.U32be SVC_NETMASK_4 = new Attr.U32be(9, "IPVS_SVC_ATTR_NETMASK");
    /** IPv6: a length in host order. */
    private static final Attr.U32 SVC_NETMASK_6 = new Attr.U32(9, "IPVS_SVC_ATTR_NETMASK");

    private static final Attr.U64 STATS64_CONNS = new Attr.U64(1, "IPVS_STATS_ATTR_CONNS");
    private static final Attr.U32 STATS_CONNS = new Attr.U32(1, "IPVS_STATS_ATTR_CONNS");
    /** Since Linux 4.1; older kernels send the other one only. */
    private static final Attr.Nest SVC_STATS64 =
            new Attr.Nest(12, "IPVS_SVC_ATTR_STATS64", AttrTable.of("IPVS_STATS_ATTR", STATS64_CONNS));

    private static final Attr.Nest SVC_STATS =
            new Attr.Nest(10, "IPVS_SVC_ATTR_STATS", AttrTable.of("IPVS_STATS_ATTR", STATS_CONNS));

    private static final AttrTable SVC = AttrTable.of(
            "IPVS_SVC_ATTR",
            SVC_AF,
            SVC_PROTOCOL,
            SVC_ADDR,
            SVC_PORT,
            SVC_FWMARK,
            SVC_SCHED,
            SVC_FLAGS,
            SVC_TIMEOUT,
            SVC_NETMASK_4,
            SVC_STATS,
            SVC_STATS64);

    private static final Attr.Payload DEST_ADDR = new Attr.Payload(1, "IPVS_DEST_ATTR_ADDR");
    private static final Attr.U16be DEST_PORT = new Attr.U16be(2, "IPVS_DEST_ATTR_PORT");
    private static final Attr.U32 DEST_FWD = new Attr.U32(3, "IPVS_DEST_ATTR_FWD_METHOD");
    private static final Attr.U32 DEST_WEIGHT = new Attr.U32(4, "IPVS_DEST_ATTR_WEIGHT");
    private static final Attr.U32 DEST_UPPER = new Attr.U32(5, "IPVS_DEST_ATTR_U_THRESH");
    private static final Attr.U32 DEST_LOWER = new Attr.U32(6, "IPVS_DEST_ATTR_L_THRESH");
    private static final Attr.U32 DEST_ACTIVE = new Attr.U32(7, "IPVS_DEST_ATTR_ACTIVE_CONNS");
    private static final Attr.U32 DEST_INACTIVE = new Attr.U32(8, "IPVS_DEST_ATTR_INACT_CONNS");
    private static final Attr.U32 DEST_PERSISTENT = new Attr.U32(9, "IPVS_DEST_ATTR_PERSIST_CONNS");
    /** Kernels before 3.18 do not send it: there it is the virtual server's. */
    private static final Attr.U16 DEST_FAMILY = new Attr.U16(11, "IPVS_DEST_ATTR_ADDR_FAMILY");

    private static final AttrTable DEST = AttrTable.of(
            "IPVS_DEST_ATTR",
            DEST_ADDR,
            DEST_PORT,
            DEST_FWD,
            DEST_WEIGHT,
            DEST_UPPER,
            DEST_LOWER,
            DEST_ACTIVE,
            DEST_INACTIVE,
            DEST_PERSISTENT,
            DEST_FAMILY);

    private static final Attr.Nest SERVICE = new Attr.Nest(1, "IPVS_CMD_ATTR_SERVICE", SVC);
    private static final Attr.Nest DESTINATION = new Attr.Nest(2, "IPVS_CMD_ATTR_DEST", DEST);
    private static final Attr.U32 TIMEOUT_TCP = new Attr.U32(4, "IPVS_CMD_ATTR_TIMEOUT_TCP");
    private static final Attr.U32 TIMEOUT_TCP_FIN = new Attr.U32(5, "IPVS_CMD_ATTR_TIMEOUT_TCP_FIN");
    private static final Attr.U32 TIMEOUT_UDP = new Attr.U32(6, "IPVS_CMD_ATTR_TIMEOUT_UDP");
    private static final AttrTable COMMAND =
            AttrTable.of("IPVS_CMD_ATTR", SERVICE, DESTINATION, TIMEOUT_TCP, TIMEOUT_TCP_FIN, TIMEOUT_UDP);

    /** The registered name of the family. */
    public static final String FAMILY = "IPVS";

    private static final int VERSION = 1;

    private static final int NEW_SERVICE = 1;
    private static final int SET_SERVICE = 2;
    private static final int DEL_SERVICE = 3;
    private static final int GET_SERVICE = 4;
    private static final int NEW_DEST = 5;
    private static final int SET_DEST = 6;
    private static final int DEL_DEST = 7;
    private static final int GET_DEST = 8;
    private static final int SET_CONFIG = 12;

    private static final int ALL_FLAGS = -1;
    private static final int ADDRESS_BYTES = 16;

    private IpvsCodec() {}

    public static void write(NlWriter writer, IpvsChange change) {
        switch (change) {
            case IpvsChange.AddService(IpvsService service) -> {
                command(writer, NEW_SERVICE);
                writer.nest(SERVICE, nest -> service(nest, service));
            }
            case IpvsChange.SetService(IpvsService service) -> {
                command(writer, SET_SERVICE);
                writer.nest(SERVICE, nest -> service(nest, service));
            }
            case IpvsChange.DeleteService(IpvsKey key) -> {
                command(writer, DEL_SERVICE);
                writer.nest(SERVICE, nest -> key(nest, key));
            }
            case IpvsChange.AddDestination(IpvsKey key, IpvsDestination destination) -> {
                command(writer, NEW_DEST);
                writer.nest(SERVICE, nest -> key(nest, key));
                writer.nest(DESTINATION, nest -> destination(nest, destination));
            }
            case IpvsChange.SetDestination(IpvsKey key, IpvsDestination destination) -> {
                command(writer, SET_DEST);
                writer.nest(SERVICE, nest -> key(nest, key));
                writer.nest(DESTINATION, nest -> destination(nest, destination));
            }
            case IpvsChange.DeleteDestination(IpvsKey key, IpPort destination) -> {
                command(writer, DEL_DEST);
                writer.nest(SERVICE, nest -> key(nest, key));
                writer.nest(DESTINATION, nest -> place(nest, destination));
            }
        }
    }

    /** Requests all virtual servers of both families. */
    public static void writeListServices(NlWriter writer) {
        command(writer, GET_SERVICE);
    }

    /** Requests the destinations of one virtual server; none are listed when there is no such server. */
    public static void writeListDestinations(NlWriter writer, IpvsKey key) {
        command(writer, GET_DEST);
        writer.nest(SERVICE, nest -> key(nest, key));
    }

    public static void writeTimeouts(NlWriter writer, IpvsTimeouts timeouts) {
        command(writer, SET_CONFIG);
        timeout(writer, TIMEOUT_TCP, timeouts.tcp());
        timeout(writer, TIMEOUT_TCP_FIN, timeouts.tcpFin());
        timeout(writer, TIMEOUT_UDP, timeouts.udp());
    }

    private static void timeout(NlWriter writer, Attr.U32 attr, int seconds) {
        if (seconds != 0) {
            writer.put(attr, seconds);
        }
    }

    private static void command(NlWriter writer, int number) {
        new GenericHeader(number, VERSION).write(writer);
    }

    private static void key(NlWriter writer, IpvsKey key) {
        writer.put(SVC_AF, key.family().number());
        switch (key) {
            case IpvsKey.At(Ip address, Proto protocol, int port) ->
                writer.put(SVC_PROTOCOL, protocol.number())
                        .put(SVC_ADDR, Bytes.of(address).padTo(ADDRESS_BYTES))
                        .put(SVC_PORT, port);
            case IpvsKey.Marked(IpFamily ignored, int mark) -> writer.put(SVC_FWMARK, mark);
        }
    }

    private static void service(NlWriter writer, IpvsService service) {
        key(writer, service.key());
        writer.put(SVC_SCHED, service.scheduler());
        writer.payload(SVC_FLAGS, body -> {
            body.u32(service.flags());
            body.u32(ALL_FLAGS);
        });
        writer.put(SVC_TIMEOUT, service.timeoutSeconds());
        switch (service.key().family()) {
            case IPV4 -> writer.put(SVC_NETMASK_4, -1 << (32 - service.prefixLength()));
            case IPV6 -> writer.put(SVC_NETMASK_6, service.prefixLength());
        }
    }

    private static void place(NlWriter writer, IpPort address) {
        writer.put(DEST_FAMILY, address.ip().family().number());
        writer.put(DEST_ADDR, Bytes.of(address.ip()).padTo(ADDRESS_BYTES));
        writer.put(DEST_PORT, address.port());
    }

    private static void destination(NlWriter writer, IpvsDestination destination) {
        place(writer, destination.address());
        writer.put(DEST_FWD, destination.forwarding())
                .put(DEST_WEIGHT, destination.weight())
                .put(DEST_UPPER, destination.upper())
                .put(DEST_LOWER, destination.lower());
    }

    public static IpvsService.Listed readService(NlReader reader) throws DecodeException {
        GenericHeader.read(reader);
        Attrs attrs = reader.attrs(COMMAND).get(SERVICE);
        IpvsService service = service(reader, attrs);
        return new IpvsService.Listed(service, connections(attrs));
    }

    private static long connections(Attrs attrs) throws DecodeException {
        if (attrs.has(SVC_STATS64)) {
            return attrs.get(SVC_STATS64).get(STATS64_CONNS);
        }
        return attrs.has(SVC_STATS)
                ? Integer.toUnsignedLong(attrs.get(SVC_STATS).get(STATS_CONNS))
                : 0;
    }

    private static IpvsService service(NlReader reader, Attrs attrs) throws DecodeException {
        IpFamily family = family(reader, attrs.get(SVC_AF));
        return new IpvsService(
                readKey(reader, family, attrs),
                attrs.get(SVC_SCHED, ""),
                attrs.reader(SVC_FLAGS).u32(),
                attrs.get(SVC_TIMEOUT),
                switch (family) {
                    case IPV4 -> length(reader, family, Integer.bitCount(attrs.get(SVC_NETMASK_4)));
                    case IPV6 -> length(reader, family, attrs.get(SVC_NETMASK_6));
                });
    }

    /** A server created without a mask has no value there, which means the whole address. */
    private static int length(NlReader reader, IpFamily family, int length) throws DecodeException {
        if (length < 0 || length > family.bits()) {
            throw reader.error("IPVS_SVC_ATTR_NETMASK: length " + length + " is not in 0.." + family.bits());
        }
        return length == 0 ? family.bits() : length;
    }

    private static IpvsKey readKey(NlReader reader, IpFamily family, Attrs attrs) throws DecodeException {
        if (attrs.has(SVC_FWMARK)) {
            return new IpvsKey.Marked(family, attrs.get(SVC_FWMARK));
        }
        int protocol = attrs.get(SVC_PROTOCOL);
        if (protocol > 255) {
            throw reader.error("IPVS_SVC_ATTR_PROTOCOL: " + protocol + " is not in 0..255");
        }
        return new IpvsKey.At(ip(reader, family, attrs.get(SVC_ADDR)), new Proto(protocol), attrs.get(SVC_PORT));
    }

    /** @param otherwise the family of a destination without a family attribute */
    public static IpvsDestination.Listed readDestination(NlReader reader, IpFamily otherwise) throws DecodeException {
        GenericHeader.read(reader);
        Attrs attrs = reader.attrs(COMMAND).get(DESTINATION);
        IpFamily family = attrs.has(DEST_FAMILY) ? family(reader, attrs.get(DEST_FAMILY)) : otherwise;
        int weight = attrs.get(DEST_WEIGHT);
        if (weight < 0) {
            throw reader.error("IPVS_DEST_ATTR_WEIGHT: " + weight + " is negative");
        }
        IpvsDestination destination = new IpvsDestination(
                new IpPort(ip(reader, family, attrs.get(DEST_ADDR)), attrs.get(DEST_PORT)),
                attrs.get(DEST_FWD),
                weight,
                attrs.get(DEST_UPPER),
                attrs.get(DEST_LOWER));
        return new IpvsDestination.Listed(
                destination, attrs.get(DEST_ACTIVE), attrs.get(DEST_INACTIVE), attrs.get(DEST_PERSISTENT));
    }

    private static IpFamily family(NlReader reader, int number) throws DecodeException {
        for (IpFamily family : IpFamily.values()) {
            if (family.number() == number) {
                return family;
            }
        }
        throw reader.error("address family " + number + " is neither IPv4 nor IPv6");
    }

    private static Ip ip(NlReader reader, IpFamily family, Bytes address) throws DecodeException {
        if (address.length() < family.bytes()) {
            throw reader.error("an " + family + " address needs " + family.bytes() + " bytes, got " + address.length());
        }
        return Ip.ofBytes(address.first(family.bytes()).toArray());
    }
}
