package io.dualstackd.node;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.List;
import java.util.Optional;

/**
 * Builds {@link NodeSettings} for a test: a node without a zone that takes its addresses from the host, detects its pods by its pod
 * CIDRs, serves node ports on every address, except {@code localhost}, and masquerades with bit 14.
 */
public final class NodeSettingsBuilder {
    private final String name;
    private Optional<String> zone = Optional.empty();
    private Optional<NodeIps> ips = Optional.empty();
    private DetectLocal detectLocal = new DetectLocal.NodeCidr();
    private NodePortAddresses nodePortAddresses = NodePortAddresses.ALL;
    private boolean localhostNodePorts;

    private NodeSettingsBuilder(String name) {
        this.name = name;
    }

    public static NodeSettingsBuilder node(String name) {
        return new NodeSettingsBuilder(name);
    }

    public NodeSettingsBuilder zone(Optional<String> value) {
        zone = value;
        return this;
    }

    public NodeSettingsBuilder ips(NodeIps value) {
        ips = Optional.of(value);
        return this;
    }

    /** The value of {@code --node-ips}. */
    public NodeSettingsBuilder ips(String value) {
        return ips(NodeIps.parse(value));
    }

    public NodeSettingsBuilder detectLocal(DetectLocal value) {
        detectLocal = value;
        return this;
    }

    public NodeSettingsBuilder nodePortsOn(NodePortAddresses value) {
        nodePortAddresses = value;
        return this;
    }

    public NodeSettingsBuilder localhostNodePorts(boolean value) {
        localhostNodePorts = value;
        return this;
    }

    public NodeSettings settings() {
        return new NodeSettings(
                name, zone, ips, detectLocal, nodePortAddresses, false, 14, localhostNodePorts, true, false, List.of());
    }
}
