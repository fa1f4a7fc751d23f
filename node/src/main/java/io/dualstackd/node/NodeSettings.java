package io.dualstackd.node;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.Optional;

/**
 * What the configuration says about this node.
 *
 * @param name the node's name in the cluster
 * @param zone empty to take it from the Node object
 * @param given which addresses are to be the node's own; empty when the administrator has not said so
 * @param detectLocal how to recognise this node's pods
 * @param masqueradeBit 0 to 31
 * @param dropInvalid packets that conntrack calls INVALID are dropped
 * @param bindAddress before all others the node's IP of its family
 */
public record NodeSettings(
        String name,
        Optional<String> zone,
        Optional<NodeIps> given,
        DetectLocal detectLocal,
        NodePortAddresses nodePortAddresses,
        boolean masqueradeAll,
        int masqueradeBit,
        boolean localhostNodePorts,
        boolean dropInvalid,
        Optional<Ip> bindAddress) {
    /** No address comes before the others. */
    public NodeSettings(
            String name,
            Optional<String> zone,
            Optional<NodeIps> given,
            DetectLocal detectLocal,
            NodePortAddresses nodePortAddresses,
            boolean masqueradeAll,
            int masqueradeBit,
            boolean localhostNodePorts,
            boolean dropInvalid) {
        this(
                name,
                zone,
                given,
                detectLocal,
                nodePortAddresses,
                masqueradeAll,
                masqueradeBit,
                localhostNodePorts,
                dropInvalid,
                Optional.empty());
    }

    /** What was given, else both families. */
    public NodeIps wanted() {
        return given.orElse(NodeIps.DEFAULT);
    }
}
