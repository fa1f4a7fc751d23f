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
 * @param prefixLength of its network, or of the peer's address
 * @param peer the other end of a point-to-point link
 * @param flags {@code IFA_F_*}, all 32 bits
 * @param label the name shown by IPv4 tools, usually that of the link; empty when there is none
 * @param lifetime how long it is valid; the kernel always reports it, and takes none as forever
 * @param others attributes this record has no field for, as the kernel sent them
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
        Optional<Lifetime> lifetime,
        List<RawAttr> others) {
    /** {@code IFA_F_SECONDARY}: IPv4, not the first one of its network; IPv6, {@link #TEMPORARY}. */
    public static final int SECONDARY = 0x01;
    /** {@code IFA_F_TEMPORARY}: IPv6, a privacy address, replaced every day. The same bit as {@link #SECONDARY}. */
    public static final int TEMPORARY = 0x01;
    /** {@code IFA_F_NODAD}: usable at once, without duplicate address detection. */
    public static final int NO_DAD = 0x02;
    /** {@code IFA_F_OPTIMISTIC}: in use while duplicate address detection is under way. */
    public static final int OPTIMISTIC = 0x04;
    /** {@code IFA_F_DADFAILED}: a neighbour uses the same address. */
    public static final int DAD_FAILED = 0x08;
    /** {@code IFA_F_DEPRECATED}: not for new connections. */
    public static final int DEPRECATED = 0x20;
    /** {@code IFA_F_TENTATIVE}: duplicate address detection is under way. */
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
     * Returns an address to be added. IPv6 ones are usable at once (NODAD): a program that sets addresses knows that they are free, and
     * would otherwise have to wait a second.
     */
    public static Address of(int link, Ip ip, int prefixLength) {
        int flags = ip.family() == IpFamily.IPV6 ? NO_DAD : 0;
        return new Address(
                link,
                ip,
                prefixLength,
                Optional.empty(),
                Scope.GLOBAL,
                flags,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The same address with other {@code IFA_F_*}, all of them. */
    public Address withFlags(int others) {
        return new Address(link, ip, prefixLength, peer, scope, others, label, broadcast, lifetime, this.others);
    }

    /** The same address with a lifetime that starts when the kernel adds it. */
    public Address with(Lifetime span) {
        return new Address(link, ip, prefixLength, peer, scope, flags, label, broadcast, Optional.of(span), others);
    }

    public IpFamily family() {
        return ip.family();
    }

    /** True when any of {@code bits} is set in the flags. */
    public boolean is(int bits) {
        return (flags & bits) != 0;
    }

    /** Whether no new connection should use it: {@code IFA_F_DEPRECATED}, or its preferred lifetime is over. */
    public boolean isDeprecated() {
        return is(DEPRECATED) || lifetime.filter(Lifetime::isPreferredOver).isPresent();
    }

    /** {@code 10.0.0.1/24 dev 3 scope global flags 0x80 label eth0}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(ip);
        peer.ifPresent(other -> text.append(" peer ").append(other));
        text.append('/').append(prefixLength).append(" dev ").append(link);
        text.append(" scope ").append(scope).append(" flags 0x").append(Integer.toHexString(flags));
        broadcast.ifPresent(all -> text.append(" broadcast ").append(all));
        if (!label.isEmpty()) {
            text.append(" label ").append(label);
        }
        lifetime.filter(span -> !span.isForEver())
                .ifPresent(span -> text.append(' ').append(span));
        return text.toString();
    }
}
