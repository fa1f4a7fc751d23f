package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements one Service wants in the table of its family.
 *
 * @param members elements of fixed sets, each once
 * @param spreads destinations whose endpoints are drawn at random
 * @param sticky lists with session affinity, which have objects of their own
 */
public record ServiceElements(List<Member> members, List<Spread> spreads, List<Sticky> sticky) {
    public static final ServiceElements NOTHING = new ServiceElements(List.of(), List.of(), List.of());

    public ServiceElements {
        members = List.copyOf(members);
        spreads = List.copyOf(spreads);
        sticky = List.copyOf(sticky);
    }

    /** The comment of a member; empty when it has none, or there is no such member. */
    public String comment(String set, Bytes key) {
        return members.stream()
                .filter(member ->
                        member.set().setName().equals(set) && member.key().equals(key))
                .map(Member::comment)
                .findFirst()
                .orElse("");
    }

    /**
     * An element of a fixed set.
     *
     * @param key bytes as defined by the set's {@link KeyShape}
     * @param keyEnd last key of a range, else empty
     * @param port in the comment; null for none
     * @param what in the comment, behind the port: what the element means for it; empty: the comment is the Service
     */
    public record Member(
            FixedSet set, Bytes key, Bytes keyEnd, @Nullable ServicePortName port, String what) {
        /** For users, empty for none; not part of an element's identity. It is made for elements that are written only. */
        public String comment() {
            if (port == null) {
                return what;
            }
            if (what.isEmpty()) {
                return port.service().toString();
            }
            String name = port.toString();
            int available = UserData.MAX_COMMENT - what.length() - 1;
            // Names too long to fit are cut; Kubernetes names are all ASCII.
            return (name.length() > available ? name.substring(0, available - 3) + "..." : name) + " " + what;
        }
    }

    /**
     * A destination and its endpoints.
     *
     * @param destination a key of {@link Lane#destination}
     * @param endpoints at least one, each once, in the order of the plan; in the kernel they may be in any order
     */
    public record Spread(Lane lane, Bytes destination, List<Backend> endpoints) {
        public Spread {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * One list of endpoints of a port with session affinity, and the destinations that lead to it.
     *
     * @param chain the chain that looks clients up and draws an endpoint for new ones
     * @param destinations keys of the verdict maps {@link Lane#stickyMapName}, each leading to {@code chain}
     * @param endpoints at least one, in the order of the plan
     * @param timeoutSeconds 1 to 86400
     */
    public record Sticky(
            String chain,
            List<Entry> destinations,
            List<StickyEndpoint> endpoints,
            int timeoutSeconds,
            Proto protocol) {
        public Sticky {
            destinations = List.copyOf(destinations);
            endpoints = List.copyOf(endpoints);
        }

        /** A destination of a lane. */
        public record Entry(Lane lane, Bytes destination) {}
    }

    /**
     * An endpoint that remembers its clients. Two lists of one port share those of their endpoints they have in common.
     *
     * @param chain adds the client to the set and translates
     * @param clients the set of client addresses
     */
    public record StickyEndpoint(String chain, String clients, IpPort address) {}
}
