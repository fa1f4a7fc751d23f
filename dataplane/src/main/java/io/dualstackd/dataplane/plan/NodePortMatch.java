package io.dualstackd.dataplane.plan;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/** The destination addresses node ports answer on, resolved against the node's actual addresses. */
public sealed interface NodePortMatch {
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
