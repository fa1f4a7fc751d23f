package io.dualstackd.node;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/** {@code detectLocalMode} with what it needs. */
public sealed interface DetectLocal {
    /** By the cluster's pod networks, at most one of each family. */
    record ClusterCidr(List<IpPrefix> networks) implements DetectLocal {
        public ClusterCidr {
            networks = List.copyOf(networks);
        }
    }

    /** By the pod networks of this node, from its Node object. */
    record NodeCidr() implements DetectLocal {}

    /** By the bridge they are attached to. */
    record Bridge(String name) implements DetectLocal {}

    /** By how their interfaces are named. */
    record InterfacePrefix(String prefix) implements DetectLocal {}

    /**
     * The detector of one family.
     *
     * @param podCidrs the node's {@code spec.podCIDRs}
     */
    default LocalDetector detector(IpFamily family, List<IpPrefix> podCidrs) {
        return switch (this) {
            case ClusterCidr(var networks) -> firstOf(networks, family);
            case NodeCidr ignored -> firstOf(podCidrs, family);
            case Bridge(String name) -> new LocalDetector.FromBridge(name);
            case InterfacePrefix(String prefix) -> new LocalDetector.FromInterfacePrefix(prefix);
        };
    }

    private static LocalDetector firstOf(List<IpPrefix> networks, IpFamily family) {
        for (IpPrefix network : networks) {
            if (network.family() == family) {
                return new LocalDetector.SourceIn(network);
            }
        }
        return LocalDetector.NONE;
    }
}
