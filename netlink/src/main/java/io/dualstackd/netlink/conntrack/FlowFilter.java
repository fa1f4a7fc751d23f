package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Which connections to list. The kernel walks its whole table for each list, but builds messages only for those that match
 * ({@code CTA_FILTER}, kernel 5.8 and later; older ones list the whole family).
 */
public sealed interface FlowFilter {
    /** All connections of a family. */
    record All(IpFamily family) implements FlowFilter {
        @Override
        public String toString() {
            return "all " + family + " flows";
        }
    }

    /** Connections of a family whose destination was translated. Kernels before 5.12 list the whole family. */
    record Translated(IpFamily family) implements FlowFilter {
        @Override
        public String toString() {
            return "translated " + family + " flows";
        }
    }

    /** All connections of a protocol. */
    record OfProto(IpFamily family, Proto proto) implements FlowFilter {
        @Override
        public String toString() {
            return "all " + family + " " + proto + " flows";
        }
    }

    /** Connections to this destination port before translation, whatever the address. */
    record ToPort(IpFamily family, Proto proto, int port) implements FlowFilter {
        private void writeTuple(NlWriter writer) {
            flags(writer, ConntrackAttrs.BY_PROTO_NUMBER | ConntrackAttrs.BY_DESTINATION_PORT);
            writer.nest(
                    ConntrackAttrs.ORIGINAL,
                    tuple -> tuple.nest(
                            ConntrackAttrs.PROTO, p -> number(p, proto).put(ConntrackAttrs.DST_PORT, port)));
        }

        @Override
        public String toString() {
            return family + " " + proto + " flows to port " + port;
        }
    }

    /** Connections to this destination before translation; in IPv6 only the port is passed to the kernel. */
    record To(Proto proto, IpPort destination) implements FlowFilter {
        @Override
        public IpFamily family() {
            return destination.ip().family();
        }

        @Override
        public String toString() {
            return proto + " flows to " + destination;
        }
    }

    IpFamily family();

    /** The body of a {@code IPCTNL_MSG_CT_GET}. */
    default void writeTo(NlWriter writer) {
        NfHeader.write(writer, NftFamily.of(family()));
        switch (this) {
            case All ignored -> {}
            case Translated ignored -> writer.put(ConntrackAttrs.STATUS, ConntrackEntry.DST_NAT);
            case OfProto(IpFamily ignored, Proto proto) -> {
                flags(writer, ConntrackAttrs.BY_PROTO_NUMBER);
                writer.nest(ConntrackAttrs.ORIGINAL, tuple -> tuple.nest(ConntrackAttrs.PROTO, p -> number(p, proto)));
            }
            case ToPort toPort -> toPort.writeTuple(writer);
            case To(Proto proto, IpPort to) -> {
                if (family() == IpFamily.IPV6) {
                    // Kernels (6.18 still) invert the comparison of IPv6 addresses: they list the entries that do not
                    // match.
                    new ToPort(IpFamily.IPV6, proto, to.port()).writeTuple(writer);
                } else {
                    flags(
                            writer,
                            ConntrackAttrs.BY_DESTINATION_IP
                                    | ConntrackAttrs.BY_PROTO_NUMBER
                                    | ConntrackAttrs.BY_DESTINATION_PORT);
                    writer.nest(
                            ConntrackAttrs.ORIGINAL,
                            tuple -> tuple.nest(ConntrackAttrs.IP, ip -> ip.put(ConntrackAttrs.V4_DST, to.ip()))
                                    .nest(
                                            ConntrackAttrs.PROTO,
                                            p -> number(p, proto).put(ConntrackAttrs.DST_PORT, to.port())));
                }
            }
        }
    }

    private static void flags(NlWriter writer, int flags) {
        writer.nest(ConntrackAttrs.FILTER, filter -> filter.put(ConntrackAttrs.FILTER_ORIGINAL, flags));
    }

    private static NlWriter number(NlWriter writer, Proto proto) {
        return writer.put(ConntrackAttrs.NUMBER, proto.number());
    }
}
