package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;

/**
 * The packets of one direction of a connection ({@code CTA_TUPLE_*}).
 *
 * @param source address and port; port 0 for protocols without ports
 * @param destination address and port, of the same family
 * @param zone of this direction alone; 0 when both directions share one, which then is {@link ConntrackEntry#zone}
 * @param others other attributes that identify connections of the protocol, as the kernel sent them: type, code and id of ICMP
 */
public record FlowTuple(IpPort source, IpPort destination, Proto proto, int zone, List<RawAttr> others) {
    public FlowTuple {
        if (source.ip().family() != destination.ip().family()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of different families");
        }
        if (zone < 0 || zone > 65535) {
            throw new IllegalArgumentException("zone " + zone + " is not in 0..65535");
        }
        others = List.copyOf(others);
    }

    public static FlowTuple of(Proto proto, IpPort source, IpPort destination) {
        return new FlowTuple(source, destination, proto, 0, List.of());
    }

    public IpFamily family() {
        return source.ip().family();
    }

    static FlowTuple read(Attrs attrs, IpFamily family) throws DecodeException {
        Attrs ip = attrs.get(ConntrackAttrs.IP);
        boolean v4 = family == IpFamily.IPV4;
        Ip source = address(ip, v4 ? ConntrackAttrs.V4_SRC : ConntrackAttrs.V6_SRC, family);
        Ip destination = address(ip, v4 ? ConntrackAttrs.V4_DST : ConntrackAttrs.V6_DST, family);
        Attrs proto = attrs.get(ConntrackAttrs.PROTO);
        return new FlowTuple(
                new IpPort(source, proto.get(ConntrackAttrs.SRC_PORT, 0)),
                new IpPort(destination, proto.get(ConntrackAttrs.DST_PORT, 0)),
                new Proto(proto.get(ConntrackAttrs.NUMBER)),
                attrs.get(ConntrackAttrs.TUPLE_ZONE, 0),
                proto.unknown());
    }

    private static Ip address(Attrs attrs, Attr.Address attr, IpFamily family) throws DecodeException {
        Ip ip = attrs.get(attr);
        if (ip.family() != family) {
            throw new DecodeException(attr.name() + ": want " + family.bytes() + " bytes, got " + ip);
        }
        return ip;
    }

    void writeTo(NlWriter writer, Attr.Nest attr) {
        writer.nest(attr, tuple -> {
            boolean v4 = family() == IpFamily.IPV4;
            tuple.nest(
                    ConntrackAttrs.IP,
                    ip -> ip.put(v4 ? ConntrackAttrs.V4_SRC : ConntrackAttrs.V6_SRC, source.ip())
                            .put(v4 ? ConntrackAttrs.V4_DST : ConntrackAttrs.V6_DST, destination.ip()));
            tuple.nest(ConntrackAttrs.PROTO, this::writeProto);
            if (zone != 0) {
                tuple.put(ConntrackAttrs.TUPLE_ZONE, zone);
            }
        });
    }

    private void writeProto(NlWriter writer) {
        writer.put(ConntrackAttrs.NUMBER, proto.number());
        if (source.port() != 0 || destination.port() != 0) {
            writer.put(ConntrackAttrs.SRC_PORT, source.port());
            writer.put(ConntrackAttrs.DST_PORT, destination.port());
        }
        others.forEach(writer::put);
    }

    /** {@code udp 10.0.0.1:1234 -> 10.96.0.10:53}. */
    @Override
    public String toString() {
        return proto + " " + source + " -> " + destination + (zone == 0 ? "" : " zone " + zone);
    }
}
