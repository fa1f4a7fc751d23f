package io.dualstackd.node;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.List;
import java.util.Optional;

/** The choice of this node's addresses, at one moment. */
public sealed interface AddressChoice {
    /** The source of the addresses. */
    enum Source {
        HOST("the host"),
        NODE_OBJECT("the Node object");

        private final String label;

        Source(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** At least one address was chosen. */
    record Found(NodeAddresses addresses, Source source) implements AddressChoice {}

    /**
     * No address was chosen; the rest of the node's work continues.
     *
     * @param reason a whole sentence without its full stop
     * @param passedOver the addresses that were found, and why they were not chosen
     */
    record None(String reason, List<PassedOver> passedOver) implements AddressChoice {
        /** Before the first choice. */
        public static final None YET = new None("not determined yet", List.of());

        public None {
            passedOver = List.copyOf(passedOver);
        }
    }

    /** The addresses, if any. */
    default Optional<NodeAddresses> found() {
        return switch (this) {
            case Found found -> Optional.of(found.addresses());
            case None ignored -> Optional.empty();
        };
    }

    /** One or two node IPs of different families, primary first; none when there are none. */
    default List<Ip> nodeIps() {
        return found().map(NodeAddresses::nodeIps).orElse(List.of());
    }

    /** The node IP of a family. */
    default Optional<Ip> ip(IpFamily family) {
        return nodeIps().stream().filter(ip -> ip.family() == family).findFirst();
    }
}
