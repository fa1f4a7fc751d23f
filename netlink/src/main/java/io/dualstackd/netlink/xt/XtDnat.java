package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Rewrites the destination ({@code struct nf_nat_range2}).
 *
 * @param address the new destination
 * @param port 1 to 65535, or 0 to keep the port
 */
public record XtDnat(Ip address, int port) implements XtTarget {
    private static final int MAP_IPS = 1;
    private static final int PROTO_SPECIFIED = 1 << 1;
    private static final int UNION = 16;

    static XtDnat read(NlReader reader, IpFamily family) throws DecodeException {
        reader.skip(4);
        Ip address = reader.ip(family.bytes());
        reader.skip(2 * UNION - family.bytes());
        return new XtDnat(address, reader.u16be());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u32(MAP_IPS | (port == 0 ? 0 : PROTO_SPECIFIED));
        int padding = UNION - address.family().bytes();
        writer.ip(address);
        writer.zeros(padding);
        writer.ip(address);
        writer.zeros(padding);
        writer.u16be(port);
        writer.u16be(port);
        writer.zeros(4);
    }

    @Override
    public String toString() {
        return "-j DNAT --to-destination " + (port == 0 ? address.toString() : new IpPort(address, port).toString());
    }
}
