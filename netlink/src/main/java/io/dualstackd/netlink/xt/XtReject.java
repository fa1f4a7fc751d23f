package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Drops the packet and sends an error ({@code struct ipt_reject_info}, {@code struct ip6t_reject_info}).
 *
 * @param with {@code enum ipt_reject_with} for IPv4, {@code enum ip6t_reject_with} for IPv6
 */
public record XtReject(IpFamily family, int with) implements XtTarget {
    private static final int IPV4_PORT_UNREACHABLE = 3;
    private static final int IPV6_PORT_UNREACHABLE = 4;

    /** With ICMP port unreachable, which is the default of iptables. */
    public static XtReject of(IpFamily family) {
        return new XtReject(family, portUnreachable(family));
    }

    private static int portUnreachable(IpFamily family) {
        return family == IpFamily.IPV4 ? IPV4_PORT_UNREACHABLE : IPV6_PORT_UNREACHABLE;
    }

    static XtReject read(NlReader reader, IpFamily family) throws DecodeException {
        return new XtReject(family, reader.u32());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u32(with);
    }

    @Override
    public String toString() {
        return "-j REJECT --reject-with "
                + (with == portUnreachable(family)
                        ? family == IpFamily.IPV4 ? "icmp-port-unreachable" : "icmp6-port-unreachable"
                        : "" + with);
    }
}
