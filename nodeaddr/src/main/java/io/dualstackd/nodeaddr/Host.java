package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state of a host that detection reads: {@code ip link}, {@code ip address} and the default routes of {@code ip route}, at one moment.
 *
 * @param links in the kernel's order
 * @param addresses of both families in the kernel's order
 * @param defaultRoutes of the main table, in the kernel's order within a family; each next hop of a route with several is one
 */
public record Host(List<Link> links, List<Address> addresses, List<DefaultRoute> defaultRoutes) {
    /** A host with nothing. */
    public static final Host EMPTY = new Host(List.of(), List.of(), List.of());

    /**
     * An interface.
     *
     * @param index its number, from 1
     * @param up the administrator switched it on ({@code IFF_UP}); there may still be no carrier
     * @param loopback {@code IFF_LOOPBACK}
     * @param pointToPoint {@code IFF_POINTOPOINT}
     */
    public record Link(int index, String name, boolean up, boolean loopback, boolean pointToPoint) {}

    /**
     * An address of an interface.
     *
     * @param link number of the interface
     * @param prefixLength of its network
     * @param scope {@code RT_SCOPE_*}, 0 to 255: 0 global, 253 link, 254 host
     */
    public record Address(int link, Ip ip, int prefixLength, int scope, Set<Flag> flags) {
        public Address {
            flags = Set.copyOf(flags);
        }
    }

    /** Flags of an address in the kernel ({@code IFA_F_*} of {@code linux/if_addr.h}). */
    public enum Flag {
        /** Duplicate address detection has not finished; also set for an optimistic address. */
        TENTATIVE("tentative"),
        /** Duplicate address detection failed: a neighbour uses the address. */
        DAD_FAILED("duplicate"),
        /** Its preferred lifetime is over: only existing connections may use it. */
        DEPRECATED("deprecated"),
        /** IPv6: a temporary privacy address, replaced every day. Bit 0x01, which has another meaning in IPv4. */
        TEMPORARY("temporary"),
        /** IPv4: not the first one of its network on its interface. */
        SECONDARY("secondary"),
        /** Without a lifetime: configured by hand or by a program. */
        PERMANENT("permanent");

        private final String word;

        Flag(String word) {
            this.word = word;
        }

        /** As {@code ip address} shows it, or in a plainer word. */
        @Override
        public String toString() {
            return word;
        }
    }

    /**
     * A default route.
     *
     * @param link number of the interface packets leave through
     * @param gateway empty when every destination is a neighbour (on-link); may be of the other family (RFC 8950)
     * @param source the source address that the route gives to packets of the host itself ({@code src})
     * @param metric 0 to 2³²−1, the smaller wins
     */
    public record DefaultRoute(IpFamily family, int link, Optional<Ip> gateway, Optional<Ip> source, long metric) {}

    public Host {
        links = List.copyOf(links);
        addresses = List.copyOf(addresses);
        defaultRoutes = List.copyOf(defaultRoutes);
    }

    /** The interface with that number. */
    public Optional<Link> link(int index) {
        return links.stream().filter(link -> link.index() == index).findFirst();
    }

    /** The interface of that name. */
    public Optional<Link> link(String name) {
        return links.stream().filter(link -> link.name().equals(name)).findFirst();
    }
}
