package io.dualstackd.agent.app;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.pods.NodeNames;
import java.util.function.Supplier;

/** What pods take from their node. */
record NodeNaming(Supplier<NodeSettings> settings, NodeAddressTracker addresses) {
    /** As kubelet does, the family of pods is that of the flag, not of what was found. */
    NodeNames names() {
        return new NodeNames(
                settings.get().given().map(ips -> ips.first().family()).orElse(IpFamily.IPV4),
                addresses.estimate().nodeIps());
    }
}
