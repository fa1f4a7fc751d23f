package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;

/**
 * An address of a link ({@code struct ifaddrmsg} and {@code IFA_*} of {@code linux/if_addr.h}).
 *
 * @param link index of the link
 * @param ip the link's own address
 * @param prefixLength of the network it is in, or of the peer's address
 * @param peer the other end of a point-to-point link
 * @param flags {@code IFA_F_*}, all 32 bits
 * @param label the name IPv4 tools show, usually that of the link; empty when there is none
 * @param others attributes this record has no field for, as the kernel sent them, among them lifetimes
 */
public record Address(
        int link,
        Ip ip,
        int prefixLength,
        Optional<Ip> peer,
        Scope scope,
        int flags,
        String label,
        Optional<Ip> broadcast,
        List<RawAttr> others) {
    /** {@code IFA_F_SECONDARY}: IPv4, not the first one of its network; IPv6, temporary. */
    public static final int SECONDARY = 0x01;
    /** {@code IFA_F_NODAD}: use it at once, without asking the neighbours. */
    public static final int NO_DAD = 0x02;
    /** {@code IFA_F_DADFAILED}: a neighbour has it. */
    public static final int DAD_FAILED = 0x08;
    /** {@code IFA_F_DEPRECATED}: not for new connections. */
    public static final int DEPRECATED = 0x20;
    /** {@code IFA_F_TENTATIVE}: still asking the neighbours. */
    public static final int TENTATIVE = 0x40;
    /** {@code IFA_F_PERMANENT}: without a lifetime. */
    public static final int PERMANENT = 0x80;

    public Address {
        if (prefixLength < 0 || prefixLength > ip.family().bits()) {
            throw new IllegalArgumentException("prefix length " + prefixLength + " is not in 0.."
                    + ip.family().bits());
        }
        others = List.copyOf(others);
    }

    /**
     * An address to be added. IPv6 ones are usable at once (NODAD): whoever sets addresses by program knows that they are free,
     * and would otherwise have to wait a second.
     */
    public static Address of(int link, Ip ip, int prefixLength) {
        int flags = ip.family() == IpFamily.IPV6 ? NO_DAD : 0;
        return new Address(
                link, ip, prefixLength, Optional.empty(), Scope.GLOBAL, flags, "", Optional.empty(), List.of());
    }

    public IpFamily family() {
        return ip.family();
    }

    /** True when any of {@code bits} is set in the flags. */
    public boolean is(int bits) {
        return (flags & bits) != 0;
    }

    /** {@code 10.0.0.1/24 dev 3 scope global flags 0x80 label eth0}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(ip);
        peer.ifPresent(other -> text.append(" peer ").append(other));
        text.append('/').append(prefixLength).append(" dev ").append(link);
        text.append(" scope ").append(scope).append(" flags 0x").append(Integer.toHexString(flags));
        broadcast.ifPresent(all -> text.append(" broadcast ").append(all));
        return label.isEmpty()
                ? text.toString()
                : text.append(" label ").append(label).toString();
    }
}
