package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node, its Services, and connections with what the specification says becomes of them. Judged twice: by the oracle over plans
 * and by a kernel with real packets.
 *
 * @param heldByNode addresses the node holds besides those of the map
 */
public record Scenario(
        String name, LabMap map, NodeView node, List<ServiceView> services, List<Flow> flows, List<Ip> heldByNode) {

    /** Every scenario of the specification, in one family. */
    static Stream<Scenario> all(LabMap map) {
        return Stream.of(
                        FlowMatrix.scenarios(map),
                        SourceRanges.scenarios(map),
                        NodePorts.scenarios(map),
                        Terminating.scenarios(map),
                        EdgeCases.scenarios(map))
                .flatMap(scenarios -> scenarios);
    }

    /** Those of the flow matrix, in one family. */
    public static Stream<Scenario> matrix(LabMap map) {
        return FlowMatrix.scenarios(map);
    }

    /** Those of Services with source ranges, in one family. */
    public static Stream<Scenario> sourceRanges(LabMap map) {
        return SourceRanges.scenarios(map);
    }

    /** Node ports on loopback addresses exist in iptables mode alone. */
    public boolean existsIn(ProxyMode mode) {
        return mode == ProxyMode.IPTABLES || !node.localhostNodePorts();
    }

    @Override
    public String toString() {
        return name + " " + map.family();
    }

    /** Starts one. */
    static Builder named(String name, LabMap map, NodeView node) {
        return new Builder(name, map, node);
    }

    static final class Builder {
        private final String name;
        private final LabMap map;
        private final NodeView node;
        private final List<ServiceView> services = new ArrayList<>();
        private final List<Flow> flows = new ArrayList<>();
        private final List<Ip> heldByNode = new ArrayList<>();

        private Builder(String name, LabMap map, NodeView node) {
            this.name = name;
            this.map = map;
            this.node = node;
        }

        /** Both protocols, whatever is asked of them. */
        Builder service(ServiceViewBuilder service) {
            services.add(service.protocols(Proto.TCP, Proto.UDP).view());
            return this;
        }

        Builder tcp(Sender from, String what, Ip destination, int port, String expected) {
            flows.add(flow(from, what, destination, port, Proto.TCP, expected, expected));
            return this;
        }

        /** Over TCP and over UDP. */
        Builder both(Sender from, String what, Ip destination, int port, String expected) {
            return both(from, what, destination, port, expected, expected);
        }

        Builder both(Sender from, String what, Ip destination, int port, String iptables, String nftables) {
            flows.add(flow(from, what, destination, port, Proto.TCP, iptables, nftables));
            flows.add(flow(from, what, destination, port, Proto.UDP, iptables, nftables));
            return this;
        }

        Builder heldByNode(Ip ip) {
            heldByNode.add(ip);
            return this;
        }

        Scenario build() {
            return new Scenario(
                    name, map, nodeHolding(), List.copyOf(services), List.copyOf(flows), List.copyOf(heldByNode));
        }

        private NodeView nodeHolding() {
            List<Ip> addresses = new ArrayList<>(node.addresses());
            addresses.addAll(heldByNode);
            return new NodeView(
                    node.family(),
                    node.name(),
                    node.zone(),
                    node.nodeIp(),
                    addresses,
                    node.detector(),
                    node.nodePortAddresses(),
                    node.masqueradeAll(),
                    node.masqueradeBit(),
                    node.localhostNodePorts(),
                    node.dropInvalid(),
                    node.nfacct(),
                    node.serviceCidrs());
        }

        private Flow flow(
                Sender from, String what, Ip destination, int port, Proto protocol, String iptables, String nftables) {
            return new Flow(
                    from,
                    what,
                    destination,
                    port,
                    protocol,
                    Expected.parse(iptables),
                    Expected.parse(nftables),
                    Expected.parse(IpvsDifferences.of(name, from, what, iptables, nftables)));
        }
    }
}
