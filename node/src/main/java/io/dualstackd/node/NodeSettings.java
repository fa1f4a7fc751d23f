package io.dualstackd.node;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of this node.
 *
 * @param name the node's name in the cluster
 * @param zone empty to use the one of the Node object
 * @param given addresses to use as the node's own; empty when the administrator has not configured them
 * @param detectLocal how to detect this node's pods
 * @param masqueradeBit 0 to 31
 * @param dropInvalid drop packets in conntrack state INVALID
 * @param nfacct the kernel counts packets at named objects for rules of iptables
 * @param bindAddresses preferred as the node IPs of their families; one of each at most
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
        boolean nfacct,
        List<Ip> bindAddresses) {
    public NodeSettings {
        bindAddresses = List.copyOf(bindAddresses);
    }

    /** Settings without a preferred address, for a kernel that counts no packets for rules. */
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
                false,
                List.of());
    }

    /** The same settings, where the kernel counts packets for rules, or does not. */
    public NodeSettings withNfacct(boolean counts) {
        return new NodeSettings(
                name,
                zone,
                given,
                detectLocal,
                nodePortAddresses,
                masqueradeAll,
                masqueradeBit,
                localhostNodePorts,
                dropInvalid,
                counts,
                bindAddresses);
    }

    /** The configured addresses, else both families. */
    public NodeIps wanted() {
        return given.orElse(NodeIps.DEFAULT);
    }
}
