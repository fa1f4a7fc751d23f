package io.dualstackd.dataplane.rules.iptables;

import static io.dualstackd.dataplane.rules.iptables.Rules.comment;

import io.dualstackd.dataplane.plan.ClusterIpMasquerade;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.rules.iptables.Match.Destination;
import io.dualstackd.dataplane.rules.iptables.Match.Protocol;
import io.dualstackd.dataplane.rules.iptables.Match.SourceIsLocal;
import io.dualstackd.dataplane.rules.iptables.Target.Jump;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes the rules a node needs in IPVS mode regardless of Services. IPVS chooses endpoints and rejects where there are none; rules
 * decide which connections are masqueraded, which sources are blocked, and that the node itself does not answer on the addresses of
 * Services.
 *
 * <p>IPVS handles incoming packets after the input rules, and packets of the node before the output rules of the filter table: the only
 * place that sees both, and sees them before translation, is the mangle table.
 */
public final class IpvsFrameCompiler {
    private static final List<Proto> PROTOCOLS = List.of(Proto.TCP, Proto.UDP, Proto.SCTP);

    private IpvsFrameCompiler() {}

    /** @param nodePortAddresses those of the node with virtual servers for node ports */
    public static Frame compile(NodePlan node, List<Ip> nodePortAddresses) {
        return new Frame(chains(node), shared(node, nodePortAddresses), jumps());
    }

    private static SortedMap<ChainId, List<Rule>> chains(NodePlan node) {
        int mark = node.masqueradeMark();
        SortedMap<ChainId, List<Rule>> chains = FrameCompiler.canaries();
        chains.put(new ChainId(Table.NAT, ChainNames.MARK_MASQ), List.of(Rule.of(new Target.SetXmark(mark, mark))));
        List<Rule> postrouting = new ArrayList<>();
        postrouting.add(Rule.of(new Jump(ChainNames.LOOP_BACK), comment("kubernetes endpoints that reach themselves")));
        postrouting.addAll(FrameCompiler.masquerade(mark));
        chains.put(new ChainId(Table.NAT, ChainNames.POSTROUTING), postrouting);
        chains.put(new ChainId(Table.FILTER, ChainNames.FORWARD), FrameCompiler.forward(node));
        return chains;
    }

    private static SortedMap<ChainId, List<Rule>> shared(NodePlan node, List<Ip> nodePortAddresses) {
        SortedMap<ChainId, List<Rule>> shared = new TreeMap<>();
        List<Rule> services = new ArrayList<>(clusterIps(node));
        // Not for all local addresses: those of Services are local, too, and may have a port that is the node port of
        // another Service.
        services.addAll(FrameCompiler.nodePortJumps(nodePortAddresses, ChainNames.NODE_PORT));
        // Last, since it accepts: the rules before only mark, or translate.
        services.add(Rule.of(new Jump(ChainNames.IPVS_SERVICES), comment("kubernetes services, before host ports")));
        shared.put(new ChainId(Table.NAT, ChainNames.SERVICES), services);
        shared.put(new ChainId(Table.NAT, ChainNames.IPVS_SERVICES), acceptedClusterIps(node));
        shared.put(new ChainId(Table.NAT, ChainNames.NODE_PORT), List.of());
        shared.put(new ChainId(Table.NAT, ChainNames.LOOP_BACK), List.of());
        shared.put(new ChainId(Table.MANGLE, ChainNames.PROXY_FIREWALL), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.NODE_PORT), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.IPVS_FILTER), closed(nodePortAddresses));
        shared.put(new ChainId(Table.FILTER, ChainNames.IPVS_IPS), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.IPVS_NODE_PORTS), List.of());
        return shared;
    }

    /**
     * The rules for what is sent to no open port of a Service. The last ones only see packets to addresses that are of no Service, since a
     * port of a Service may have the number of another one's node port; and where node ports do not answer, a program of the host may have
     * that port.
     */
    private static List<Rule> closed(List<Ip> nodePortAddresses) {
        List<Rule> rules = new ArrayList<>();
        // No other protocol has ports; and some programs check that a Service answers ping.
        for (Proto proto : PROTOCOLS) {
            rules.add(Rule.of(new Jump(ChainNames.IPVS_IPS), new Protocol(proto)));
        }
        for (Ip ip : nodePortAddresses) {
            rules.add(Rule.of(
                    new Jump(ChainNames.IPVS_NODE_PORTS),
                    new Destination(IpPrefix.host(ip), false),
                    comment("kubernetes node ports without endpoints")));
        }
        return rules;
    }

    /** One rule for all ClusterIPs, where the network they come from is known. */
    private static List<Rule> clusterIps(NodePlan node) {
        List<Rule> rules = new ArrayList<>();
        for (IpPrefix network : node.serviceCidrs()) {
            List<Match> matches = new ArrayList<>(unlessServedAsIs(node));
            matches.add(new Destination(network, false));
            matches.add(comment("kubernetes cluster IPs"));
            rules.add(new Rule(matches, new Jump(ChainNames.MARK_MASQ)));
        }
        return rules;
    }

    /**
     * One rule for all ClusterIPs, where their network is known. Every address of a Service is local here, so the rules of other programs
     * for ports of the node, such as those of pods with a {@code hostPort}, would take its packets.
     */
    private static List<Rule> acceptedClusterIps(NodePlan node) {
        return node.serviceCidrs().stream()
                .map(network -> Rule.of(
                        new Target.Accept(), new Destination(network, false), comment("kubernetes cluster IPs")))
                .toList();
    }

    /**
     * The senders to a ClusterIP that are masqueraded. The node itself always is: the ClusterIP is a local address and so becomes the
     * source of its packets, and no answer would find its way back to it.
     */
    static List<Match> unlessServedAsIs(NodePlan node) {
        return switch (node.clusterIpMasquerade()) {
            case ClusterIpMasquerade.Always() -> List.of();
            case ClusterIpMasquerade.Never() -> List.of(new SourceIsLocal(false));
            case ClusterIpMasquerade.UnlessFrom(var pods) -> Rules.fromPods(pods, true);
        };
    }

    static SortedMap<ChainId, List<Rule>> jumps() {
        Rule services = FrameCompiler.always(ChainNames.SERVICES, JumpComments.SERVICES);
        Rule firewall = FrameCompiler.newOnly(ChainNames.PROXY_FIREWALL, JumpComments.IPVS_FIREWALL);
        SortedMap<ChainId, List<Rule>> jumps = new TreeMap<>();
        jumps.put(new ChainId(Table.NAT, "PREROUTING"), List.of(services));
        jumps.put(new ChainId(Table.NAT, "OUTPUT"), List.of(services));
        jumps.put(
                new ChainId(Table.NAT, "POSTROUTING"),
                List.of(FrameCompiler.always(ChainNames.POSTROUTING, JumpComments.POSTROUTING)));
        jumps.put(new ChainId(Table.MANGLE, "INPUT"), List.of(firewall));
        jumps.put(new ChainId(Table.MANGLE, "OUTPUT"), List.of(firewall));
        jumps.put(
                new ChainId(Table.FILTER, "INPUT"),
                List.of(
                        FrameCompiler.always(ChainNames.NODE_PORT, JumpComments.IPVS_HEALTH_CHECKS),
                        FrameCompiler.newOnly(ChainNames.IPVS_FILTER, JumpComments.IPVS_FILTER)));
        jumps.put(
                new ChainId(Table.FILTER, "FORWARD"),
                List.of(FrameCompiler.always(ChainNames.FORWARD, JumpComments.FORWARD)));
        return jumps;
    }
}
