package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds a {@link NodeView} for a test: a node called {@code node-1} in no zone, with a loopback address, that cannot tell its pods
 * and answers node ports on every address. The first address given is its own.
 */
public final class NodeViewBuilder {
    private final IpFamily family;
    private final List<Ip> addresses = new ArrayList<>();
    private Optional<Ip> nodeIp = Optional.empty();
    private String name = "node-1";
    private String zone = "";
    private LocalDetector detector = LocalDetector.NONE;
    private NodePortAddresses nodePortAddresses = NodePortAddresses.ALL;
    private boolean masqueradeAll;
    private boolean nfacct;
    private boolean localhostNodePorts;
    private List<IpPrefix> serviceCidrs = List.of();

    private NodeViewBuilder(IpFamily family) {
        this.family = family;
        addresses.add(Ip.parse(family == IpFamily.IPV4 ? "127.0.0.1" : "::1"));
    }

    public static NodeViewBuilder node(IpFamily family) {
        return new NodeViewBuilder(family);
    }

    /** A node without addresses, for tests that only choose endpoints. */
    public static NodeViewBuilder node() {
        return new NodeViewBuilder(IpFamily.IPV4);
    }

    public NodeViewBuilder name(String value) {
        name = value;
        return this;
    }

    public NodeViewBuilder zone(String value) {
        zone = value;
        return this;
    }

    /** Further addresses on interfaces; the very first is the node's own. */
    public NodeViewBuilder addresses(String... values) {
        for (String value : values) {
            Ip ip = Ip.parse(value);
            addresses.add(ip);
            nodeIp = Optional.of(nodeIp.orElse(ip));
        }
        return this;
    }

    public NodeViewBuilder nodeIp(Optional<Ip> value) {
        nodeIp = value;
        return this;
    }

    public NodeViewBuilder podsIn(String network) {
        return detector(new LocalDetector.SourceIn(IpPrefix.parse(network)));
    }

    public NodeViewBuilder detector(LocalDetector value) {
        detector = value;
        return this;
    }

    public NodeViewBuilder nodePortsOn(NodePortAddresses value) {
        nodePortAddresses = value;
        return this;
    }

    /** Node ports on the addresses in these networks. */
    public NodeViewBuilder nodePortsIn(String... networks) {
        return nodePortsOn(new NodePortAddresses.Within(
                Stream.of(networks).map(IpPrefix::parse).toList()));
    }

    public NodeViewBuilder masqueradeAll(boolean value) {
        masqueradeAll = value;
        return this;
    }

    public NodeViewBuilder serviceCidrs(IpPrefix... values) {
        serviceCidrs = List.of(values);
        return this;
    }

    public NodeViewBuilder localhostNodePorts(boolean value) {
        localhostNodePorts = value;
        return this;
    }

    public NodeViewBuilder serviceCidrs(String... networks) {
        serviceCidrs = Stream.of(networks).map(IpPrefix::parse).toList();
        return this;
    }

    public NodeViewBuilder nfacct(boolean value) {
        nfacct = value;
        return this;
    }

    public NodeView view() {
        return new NodeView(
                family,
                name,
                zone,
                nodeIp,
                addresses,
                detector,
                nodePortAddresses,
                masqueradeAll,
                14,
                localhostNodePorts,
                true,
                nfacct,
                serviceCidrs);
    }
}
