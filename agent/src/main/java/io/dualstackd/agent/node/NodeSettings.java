package io.dualstackd.agent.node;

import io.dualstackd.agent.config.DetectLocal;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Map;
import java.util.Optional;

/**
 * What the configuration says about this node.
 *
 * @param name the node's name in the cluster
 * @param zone empty to take it from the Node object
 * @param ips the node's own address per family; what is missing is taken from the Node object
 * @param detectLocal how to recognise this node's pods
 * @param masqueradeBit 0 to 31
 * @param dropInvalid packets that conntrack calls INVALID are dropped
 */
public record NodeSettings(
        String name,
        Optional<String> zone,
        Map<IpFamily, Ip> ips,
        DetectLocal detectLocal,
        NodePortAddresses nodePortAddresses,
        boolean masqueradeAll,
        int masqueradeBit,
        boolean localhostNodePorts,
        boolean dropInvalid) {
    public NodeSettings {
        ips = Map.copyOf(ips);
    }
}
