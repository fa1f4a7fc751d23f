package io.dualstackd.netlink.ipvs;

import static io.dualstackd.netlink.ipvs.IpvsAttrs.COMMAND;
import static io.dualstackd.netlink.ipvs.IpvsAttrs.DESTINATION;
import static io.dualstackd.netlink.ipvs.IpvsAttrs.SERVICE;

import io.dualstackd.netlink.generic.GenericHeader;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Bodies of {@code IPVS_CMD_*}, from the generic header on. */
public final class IpvsCodec {
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
        timeout(writer, IpvsAttrs.TIMEOUT_TCP, timeouts.tcp());
        timeout(writer, IpvsAttrs.TIMEOUT_TCP_FIN, timeouts.tcpFin());
        timeout(writer, IpvsAttrs.TIMEOUT_UDP, timeouts.udp());
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
        writer.put(IpvsAttrs.SVC_AF, key.family().number());
        switch (key) {
            case IpvsKey.At(Ip address, Proto protocol, int port) ->
                writer.put(IpvsAttrs.SVC_PROTOCOL, protocol.number())
                        .put(IpvsAttrs.SVC_ADDR, Bytes.of(address).padTo(ADDRESS_BYTES))
                        .put(IpvsAttrs.SVC_PORT, port);
            case IpvsKey.Marked(IpFamily ignored, int mark) -> writer.put(IpvsAttrs.SVC_FWMARK, mark);
        }
    }

    private static void service(NlWriter writer, IpvsService service) {
        key(writer, service.key());
        writer.put(IpvsAttrs.SVC_SCHED, service.scheduler());
        writer.payload(IpvsAttrs.SVC_FLAGS, body -> {
            body.u32(service.flags());
            body.u32(ALL_FLAGS);
        });
        writer.put(IpvsAttrs.SVC_TIMEOUT, service.timeoutSeconds());
        switch (service.key().family()) {
            case IPV4 -> writer.put(IpvsAttrs.SVC_NETMASK_4, -1 << (32 - service.prefixLength()));
            case IPV6 -> writer.put(IpvsAttrs.SVC_NETMASK_6, service.prefixLength());
        }
    }

    private static void place(NlWriter writer, IpPort address) {
        writer.put(IpvsAttrs.DEST_FAMILY, address.ip().family().number());
        writer.put(IpvsAttrs.DEST_ADDR, Bytes.of(address.ip()).padTo(ADDRESS_BYTES));
        writer.put(IpvsAttrs.DEST_PORT, address.port());
    }

    private static void destination(NlWriter writer, IpvsDestination destination) {
        place(writer, destination.address());
        writer.put(IpvsAttrs.DEST_FWD, destination.forwarding())
                .put(IpvsAttrs.DEST_WEIGHT, destination.weight())
                .put(IpvsAttrs.DEST_UPPER, destination.upper())
                .put(IpvsAttrs.DEST_LOWER, destination.lower());
    }

    public static IpvsService readService(NlReader reader) throws DecodeException {
        GenericHeader.read(reader);
        Attrs attrs = reader.attrs(COMMAND).get(SERVICE);
        IpFamily family = family(reader, attrs.get(IpvsAttrs.SVC_AF));
        return new IpvsService(
                readKey(reader, family, attrs),
                attrs.get(IpvsAttrs.SVC_SCHED, ""),
                attrs.reader(IpvsAttrs.SVC_FLAGS).u32(),
                attrs.get(IpvsAttrs.SVC_TIMEOUT),
                switch (family) {
                    case IPV4 -> length(reader, family, Integer.bitCount(attrs.get(IpvsAttrs.SVC_NETMASK_4)));
                    case IPV6 -> length(reader, family, attrs.get(IpvsAttrs.SVC_NETMASK_6));
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
        if (attrs.has(IpvsAttrs.SVC_FWMARK)) {
            return new IpvsKey.Marked(family, attrs.get(IpvsAttrs.SVC_FWMARK));
        }
        int protocol = attrs.get(IpvsAttrs.SVC_PROTOCOL);
        if (protocol > 255) {
            throw reader.error("IPVS_SVC_ATTR_PROTOCOL: " + protocol + " is not in 0..255");
        }
        return new IpvsKey.At(
                ip(reader, family, attrs.get(IpvsAttrs.SVC_ADDR)), new Proto(protocol), attrs.get(IpvsAttrs.SVC_PORT));
    }

    /** @param otherwise the family of a destination without a family attribute */
    public static IpvsDestination.Listed readDestination(NlReader reader, IpFamily otherwise) throws DecodeException {
        GenericHeader.read(reader);
        Attrs attrs = reader.attrs(COMMAND).get(DESTINATION);
        IpFamily family =
                attrs.has(IpvsAttrs.DEST_FAMILY) ? family(reader, attrs.get(IpvsAttrs.DEST_FAMILY)) : otherwise;
        int weight = attrs.get(IpvsAttrs.DEST_WEIGHT);
        if (weight < 0) {
            throw reader.error("IPVS_DEST_ATTR_WEIGHT: " + weight + " is negative");
        }
        IpvsDestination destination = new IpvsDestination(
                new IpPort(ip(reader, family, attrs.get(IpvsAttrs.DEST_ADDR)), attrs.get(IpvsAttrs.DEST_PORT)),
                attrs.get(IpvsAttrs.DEST_FWD),
                weight,
                attrs.get(IpvsAttrs.DEST_UPPER),
                attrs.get(IpvsAttrs.DEST_LOWER));
        return new IpvsDestination.Listed(
                destination,
                attrs.get(IpvsAttrs.DEST_ACTIVE),
                attrs.get(IpvsAttrs.DEST_INACTIVE),
                attrs.get(IpvsAttrs.DEST_PERSISTENT));
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
