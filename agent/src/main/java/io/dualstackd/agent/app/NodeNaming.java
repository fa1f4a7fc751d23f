package io.dualstackd.agent.app;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.pods.NodeNames;
import java.util.function.Supplier;

/** The settings and addresses of the node that its pods inherit. */
record NodeNaming(Supplier<NodeSettings> settings, NodeAddressTracker addresses) {
    /** As in kubelet, the family of pods follows the flag, not the addresses that were found. */
    NodeNames names() {
        return new NodeNames(
                settings.get().given().map(ips -> ips.first().family()).orElse(IpFamily.IPV4),
                addresses.estimate().nodeIps());
    }
}
