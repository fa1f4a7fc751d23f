package io.dualstackd.dataplane.plan;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/** The destination addresses node ports answer on, resolved against the node's actual addresses. */
public sealed interface NodePortMatch {
    /**
     * Those that get a virtual server: a connection from a loopback address cannot be sent to another host, and a link-local one means
     * nothing without its link.
     *
     * @param ofNode every address of the node
     */
    default List<Ip> withServers(List<Ip> ofNode) {
        List<Ip> matched = switch (this) {
            case AllLocal ignored -> ofNode;
            case Only(List<Ip> only) -> only;
        };
        return matched.stream()
                .filter(ip -> !ip.isLoopback() && !ip.isLinkLocal())
                .toList();
    }

    /**
     * Every address of the node.
     *
     * @param loopback loopback addresses, too
     */
    record AllLocal(boolean loopback) implements NodePortMatch {}

    /** Exactly these, sorted. */
    record Only(List<Ip> addresses) implements NodePortMatch {
        public Only {
            addresses = List.copyOf(addresses);
        }
    }
}
