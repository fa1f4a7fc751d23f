package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.plan.ClusterIpMasquerade;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.RuleBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The chains every table has, regardless of Services. Base chains, and chains with the name of one in kube-proxy's table, do the same
 * as there.
 */
public final class TableChains {
    /** A chain that every table of dualstackd has once it is complete. */
    public static final String ENTRANCE = "nat-prerouting";

    private static final String SERVICES = "services";
    private static final String SERVICE_IPS = "service-ips";
    private static final String NODE_PORTS = "node-ports";
    private static final String LOCAL_EXTERNAL_IPS = "local-external-ips";
    private static final String LOCAL_NODE_PORTS = "local-node-ports";
    private static final String MASQUERADING = "masquerading";
    private static final String FIREWALL_CHECK = "firewall-check";
    private static final String NODE_PORT_ENDPOINTS_CHECK = "nodeport-endpoints-check";
    private static final String SERVICE_ENDPOINTS_CHECK = "service-endpoints-check";
    private static final String CLUSTER_IPS_CHECK = "cluster-ips-check";

    /** {@code NF_IP_PRI_NAT_DST}: the priority at which destinations are translated. */
    private static final int NAT_DST = -100;

    private static final int NAT_SRC = 100;
    private static final int FILTER = 0;

    private final NodePlan plan;

    private TableChains(NodePlan plan) {
        this.plan = plan;
    }

    /** All constant chains except those of {@link LaneChain}. They refer to one another: make all chains before any rule. */
    public static List<ChainRules> of(NodePlan plan) {
        return new TableChains(plan).all();
    }

    private List<ChainRules> all() {
        List<ChainRules> chains = new ArrayList<>(baseChains());
        chains.add(ChainRules.of(
                FIREWALL_CHECK,
                rule().in(FixedSet.RESTRICTED_IPS)
                        .notIn(FixedSet.ALLOWED_SOURCES)
                        .in(FixedSet.FIREWALL_IPS)
                        .drop()));
        chains.add(ChainRules.of(
                NODE_PORT_ENDPOINTS_CHECK,
                toNodePort(FixedSet.REJECT_NODE_PORTS).reject(),
                toNodePort(FixedSet.DROP_NODE_PORTS).drop()));
        chains.add(ChainRules.of(
                SERVICE_ENDPOINTS_CHECK,
                rule().in(FixedSet.REJECT_IPS).reject(),
                rule().in(FixedSet.DROP_IPS).drop()));
        chains.add(clusterIpsCheck());
        chains.add(ChainRules.of(
                SERVICES,
                rule().in(FixedSet.SERVICE_IPS).goTo(SERVICE_IPS),
                toNodePort(FixedSet.NODE_PORTS).goTo(NODE_PORTS)));
        chains.add(serviceIps());
        chains.add(external(LOCAL_EXTERNAL_IPS, Lane.CLUSTER, Lane.LOCAL));
        chains.add(ChainRules.of(
                NODE_PORTS,
                rule().in(FixedSet.LOCAL_NODE_PORTS).goTo(LOCAL_NODE_PORTS),
                rule().mark(plan.masqueradeMark()).goTo(Lane.NODE_PORT.chainName())));
        chains.add(external(LOCAL_NODE_PORTS, Lane.NODE_PORT, Lane.LOCAL_NODE_PORT));
        chains.add(ChainRules.of(
                MASQUERADING,
                rule().marked(plan.masqueradeMark()).flip(plan.masqueradeMark()).masquerade(),
                rule().translated().in(FixedSet.HAIRPINS).masquerade()));
        return List.copyOf(chains);
    }

    private List<ChainRules> baseChains() {
        return List.of(
                // Before translation: a restricted address is recognised by the packet's own destination.
                base("filter-prerouting-pre-dnat", "filter", NftHook.PREROUTING, NAT_DST - 10, onNew(FIREWALL_CHECK)),
                base("filter-output-pre-dnat", "filter", NftHook.OUTPUT, NAT_DST - 10, onNew(FIREWALL_CHECK)),
                base(ENTRANCE, "nat", NftHook.PREROUTING, NAT_DST, rule().jump(SERVICES)),
                base("nat-output", "nat", NftHook.OUTPUT, NAT_DST, rule().jump(SERVICES)),
                // After translation: a packet that still has a Service's address as its destination was not served.
                base(
                        "filter-input",
                        "filter",
                        NftHook.INPUT,
                        FILTER,
                        onNew(NODE_PORT_ENDPOINTS_CHECK),
                        onNew(SERVICE_ENDPOINTS_CHECK)),
                base("filter-forward", "filter", NftHook.FORWARD, FILTER, forwarded()),
                base(
                        "filter-output",
                        "filter",
                        NftHook.OUTPUT,
                        FILTER,
                        onNew(SERVICE_ENDPOINTS_CHECK),
                        onNew(CLUSTER_IPS_CHECK)),
                base("nat-postrouting", "nat", NftHook.POSTROUTING, NAT_SRC, rule().jump(MASQUERADING)));
    }

    /**
     * Packets in state INVALID are not translated back: a client would see an endpoint it has no connection to and end the connection
     * with a reset.
     */
    private RuleBody[] forwarded() {
        List<RuleBody> rules = new ArrayList<>();
        if (plan.dropInvalid()) {
            rules.add(rule().invalid().drop());
        }
        rules.add(onNew(SERVICE_ENDPOINTS_CHECK));
        rules.add(onNew(CLUSTER_IPS_CHECK));
        return rules.toArray(RuleBody[]::new);
    }

    private static ChainRules base(String name, String type, int hook, int priority, RuleBody... rules) {
        return ChainRules.base(name, new NftHook(type, hook, priority), rules);
    }

    private RuleDraft rule() {
        return new RuleDraft(plan.family());
    }

    private RuleBody onNew(String chain) {
        return rule().newConnection().jump(chain);
    }

    /**
     * Matches packets to a port of {@code ports} on an address on which node ports answer. The address comes first: an element of
     * {@code ports} counts every packet for which it is found.
     */
    private RuleDraft toNodePort(FixedSet ports) {
        return switch (plan.nodePorts()) {
            case NodePortMatch.Only ignored ->
                rule().in(FixedSet.NODE_PORT_ADDRESSES).in(ports);
            case NodePortMatch.AllLocal(boolean loopback) ->
                (loopback
                                ? rule().destinationLocal()
                                : rule().destinationLocal().destinationNotLoopback())
                        .in(ports);
        };
    }

    /** Handles a ClusterIP on a port that no Service has, and addresses that no Service has. */
    private ChainRules clusterIpsCheck() {
        List<RuleBody> rules = new ArrayList<>();
        rules.add(rule().in(FixedSet.CLUSTER_IPS).reject());
        for (IpPrefix network : plan.serviceCidrs()) {
            rules.add(rule().destinationIn(network).drop());
        }
        return ChainRules.of(CLUSTER_IPS_CHECK, rules);
    }

    private ChainRules serviceIps() {
        List<RuleBody> rules = new ArrayList<>();
        // First, because a ClusterIP may be another Service's external IP, and then the source address is to be kept.
        rules.add(rule().in(FixedSet.LOCAL_EXTERNAL_IPS).goTo(LOCAL_EXTERNAL_IPS));
        clusterIpMasquerade().ifPresent(rules::add);
        rules.add(rule().in(FixedSet.EXTERNAL_IPS).mark(plan.masqueradeMark()).end());
        rules.add(rule().goTo(Lane.CLUSTER.chainName()));
        return ChainRules.of(SERVICE_IPS, rules);
    }

    private Optional<RuleBody> clusterIpMasquerade() {
        return switch (plan.clusterIpMasquerade()) {
            case ClusterIpMasquerade.Never() -> Optional.empty();
            case ClusterIpMasquerade.Always() ->
                Optional.of(rule().in(FixedSet.CLUSTER_IPS)
                        .mark(plan.masqueradeMark())
                        .end());
            case ClusterIpMasquerade.UnlessFrom(LocalDetector pods) ->
                Optional.of(rule().in(FixedSet.CLUSTER_IPS)
                        .from(pods, false)
                        .mark(plan.masqueradeMark())
                        .end());
        };
    }

    /**
     * Destinations under the Local policy. Pods and the node itself are sent to all endpoints; packets from elsewhere to those of this
     * node, with their source address kept.
     */
    private ChainRules external(String name, Lane all, Lane local) {
        List<RuleBody> rules = new ArrayList<>();
        if (!(plan.localPods() instanceof LocalDetector.None)) {
            rules.add(rule().from(plan.localPods(), true).goTo(all.chainName()));
        }
        rules.add(rule().sourceLocal().mark(plan.masqueradeMark()).goTo(all.chainName()));
        rules.add(rule().goTo(local.chainName()));
        return ChainRules.of(name, rules);
    }
}
