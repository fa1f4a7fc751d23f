package io.dualstackd.explain.trace;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.trace.TraceMessage;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Arrays;
import java.util.Optional;

/** Addresses and ports of a packet at one place of its way. */
public record PacketHeader(IpPort source, IpPort destination) {
    private static final int IPV4_LENGTH = 20;
    private static final int IPV6_LENGTH = 40;

    /** The header in a message; empty when the message has none. */
    static Optional<PacketHeader> of(TraceMessage message) {
        Bytes network = message.network();
        if (network.length() < IPV4_LENGTH || message.transport().length() < 4) {
            return Optional.empty();
        }
        IpFamily family = network.at(0) >> 4 == 4 ? IpFamily.IPV4 : IpFamily.IPV6;
        if (family == IpFamily.IPV6 && network.length() < IPV6_LENGTH) {
            return Optional.empty();
        }
        int from = family == IpFamily.IPV4 ? 12 : 8;
        return Optional.of(new PacketHeader(
                new IpPort(ip(network, from, family), port(message.transport(), 0)),
                new IpPort(ip(network, from + family.bytes(), family), port(message.transport(), 2))));
    }

    private static Ip ip(Bytes network, int from, IpFamily family) {
        return Ip.ofBytes(Arrays.copyOfRange(network.toArray(), from, from + family.bytes()));
    }

    private static int port(Bytes transport, int from) {
        return transport.at(from) << 8 | transport.at(from + 1);
    }

    @Override
    public String toString() {
        return source + " -> " + destination;
    }
}
