package io.dualstackd.node;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.stream.Stream;

/** The values of {@code detectLocalMode} with their parameters. */
public sealed interface DetectLocal {
    /** By the cluster's pod networks, at most one per family. */
    record ClusterCidr(List<IpPrefix> networks) implements DetectLocal {
        public ClusterCidr {
            networks = List.copyOf(networks);
        }
    }

    /**
     * By the pod networks of this node, from its Node object.
     *
     * @param given networks for families in which the Node object has none, as on a node without a cluster
     */
    record NodeCidr(List<IpPrefix> given) implements DetectLocal {
        public NodeCidr {
            given = List.copyOf(given);
        }

        /** The networks of the Node object only. */
        public NodeCidr() {
            this(List.of());
        }
    }

    /** By the bridge that pods are attached to. */
    record Bridge(String name) implements DetectLocal {}

    /** By the prefix of pods' interface names. */
    record InterfacePrefix(String prefix) implements DetectLocal {}

    /**
     * Returns the detector for one family.
     *
     * @param podCidrs the node's {@code spec.podCIDRs}
     */
    default LocalDetector detector(IpFamily family, List<IpPrefix> podCidrs) {
        return switch (this) {
            case ClusterCidr(var networks) -> firstOf(networks, family);
            case NodeCidr(var given) ->
                firstOf(Stream.concat(podCidrs.stream(), given.stream()).toList(), family);
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
