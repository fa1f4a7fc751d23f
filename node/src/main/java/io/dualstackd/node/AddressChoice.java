package io.dualstackd.node;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.List;
import java.util.Optional;

/** Which addresses are this node's, at one moment. */
public sealed interface AddressChoice {
    /** Who knows them. */
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

    /** There are some. */
    record Made(NodeAddresses addresses, Source source) implements AddressChoice {}

    /**
     * There are none; what else the node does goes on.
     *
     * @param reason a whole sentence without its full stop
     * @param passedOver what there was, and why it would not do
     */
    record None(String reason, List<PassedOver> passedOver) implements AddressChoice {
        /** Before the first choice. */
        public static final None YET = new None("nobody has looked yet", List.of());

        public None {
            passedOver = List.copyOf(passedOver);
        }
    }

    /** The addresses, if there are any. */
    default Optional<NodeAddresses> found() {
        return switch (this) {
            case Made made -> Optional.of(made.addresses());
            case None ignored -> Optional.empty();
        };
    }

    /** One or two of different families, primary first; none when there are none. */
    default List<Ip> nodeIps() {
        return found().map(NodeAddresses::nodeIps).orElse(List.of());
    }

    /** The node IP of a family. */
    default Optional<Ip> ip(IpFamily family) {
        return nodeIps().stream().filter(ip -> ip.family() == family).findFirst();
    }
}
