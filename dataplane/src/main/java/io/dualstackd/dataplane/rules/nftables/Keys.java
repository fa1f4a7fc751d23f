package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;

/** Encodes keys and values; each part fills whole words of four bytes ({@link KeyShape}). */
public final class Keys {
    private Keys() {}

    /** {@link KeyShape#ADDRESS}. */
    public static Bytes address(Ip ip) {
        return Bytes.of(ip);
    }

    /** {@link KeyShape#SERVICE_IP}. */
    public static Bytes serviceIp(Ip ip, Proto protocol, int port) {
        return Bytes.written(ip.family().bytes() + 8, writer -> {
            writer.ip(ip);
            transport(writer, protocol, port);
        });
    }

    /** {@link KeyShape#NODE_PORT}. */
    public static Bytes nodePort(Proto protocol, int port) {
        return Bytes.written(8, writer -> transport(writer, protocol, port));
    }

    /** {@link KeyShape#SOURCE}: a key of {@link KeyShape#SERVICE_IP} followed by {@code source}. */
    public static Bytes source(Bytes serviceIp, Ip source) {
        return Bytes.written(serviceIp.length() + source.family().bytes(), writer -> {
            writer.bytes(serviceIp);
            writer.ip(source);
        });
    }

    /** {@link KeyShape#HAIRPIN} of an endpoint. */
    public static Bytes hairpin(IpPort endpoint, Proto protocol) {
        return Bytes.written(2 * endpoint.ip().family().bytes() + 8, writer -> {
            writer.ip(endpoint.ip());
            writer.ip(endpoint.ip());
            transport(writer, protocol, endpoint.port());
        });
    }

    /** A key of {@link Lane#slot}: a key of {@link Lane#destination} followed by the number {@code slot}, from 0 on. */
    public static Bytes slot(Bytes destination, int slot) {
        return Bytes.written(destination.length() + 4, writer -> {
            writer.bytes(destination);
            writer.u32(slot);
        });
    }

    /** A value in a map of endpoints: address and port. */
    public static Bytes endpoint(IpPort endpoint) {
        return Bytes.written(endpoint.ip().family().bytes() + 4, writer -> {
            writer.ip(endpoint.ip());
            writer.u16be(endpoint.port());
            writer.zeros(2);
        });
    }

    private static void transport(NlWriter writer, Proto protocol, int port) {
        writer.u8(protocol.number());
        writer.zeros(3);
        writer.u16be(port);
        writer.zeros(2);
    }
}
