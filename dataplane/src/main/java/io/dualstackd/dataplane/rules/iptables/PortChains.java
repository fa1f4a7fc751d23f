package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.ClusterIpMasquerade;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.rules.iptables.Match.AnyPort;
import io.dualstackd.dataplane.rules.iptables.Match.Protocol;
import io.dualstackd.dataplane.rules.iptables.Match.Random;
import io.dualstackd.dataplane.rules.iptables.Match.Remember;
import io.dualstackd.dataplane.rules.iptables.Match.SeenWithin;
import io.dualstackd.dataplane.rules.iptables.Match.Source;
import io.dualstackd.dataplane.rules.iptables.Match.SourceIsLocal;
import io.dualstackd.dataplane.rules.iptables.Target.Jump;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The chains that belong to one service port: where a packet goes once it is known to be for this port. */
final class PortChains {
    private static final Jump MARK_MASQ = new Jump(ChainNames.MARK_MASQ);

    private final PortPlan plan;
    private final NodePlan node;
    private final ServicePort port;
    private final ChainNames.OfPort names;
    private final String portName;
    private final Map<IpPort, String> endpointChains = new HashMap<>();

    private PortChains(PortPlan plan, NodePlan node) {
        this.plan = plan;
        this.node = node;
        port = plan.port();
        names = ChainNames.of(port.name());
        portName = port.name().toString();
    }

    static void write(PortPlan plan, NodePlan node, ServiceCompiler.Draft draft) {
        new PortChains(plan, node).write(draft);
    }

    private void write(ServiceCompiler.Draft draft) {
        if (!plan.cluster().isEmpty()) {
            draft.chain(names.cluster()).addAll(spread(plan.cluster(), !port.internalPolicyLocal()));
        }
        if (!plan.local().isEmpty()) {
            draft.chain(names.local()).addAll(spread(plan.local(), port.internalPolicyLocal()));
        }
        if (plan.hasExternalPath()) {
            draft.chain(names.external()).addAll(external());
        }
        if (Rules.filtersSources(plan)) {
            draft.chain(names.firewall()).addAll(firewall());
        }
        for (Backend backend : plan.reachable()) {
            draft.chain(chainOf(backend)).addAll(endpoint(backend));
        }
    }

    /**
     * Sends a packet to one of {@code backends}, each with the same probability, or to the one the client has affinity to.
     *
     * @param internal whether the ClusterIP leads here; then the chain also decides about masquerade, and only for the ClusterIP:
     *     external destinations may lead here, too
     */
    private List<Rule> spread(List<Backend> backends, boolean internal) {
        List<Rule> rules = new ArrayList<>();
        if (internal && plan.internal() == Handling.SERVE) {
            masqueradeClusterIp(rules);
        }
        if (port.affinity() instanceof Affinity.ClientIp(int timeoutSeconds)) {
            for (Backend backend : backends) {
                String chain = chainOf(backend);
                rules.add(Rule.of(new Jump(chain), leadsTo(backend), new SeenWithin(chain, timeoutSeconds)));
            }
        }
        for (int i = 0; i < backends.size(); i++) {
            Backend backend = backends.get(i);
            Jump jump = new Jump(chainOf(backend));
            int remaining = backends.size() - i;
            rules.add(
                    remaining == 1
                            ? Rule.of(jump, leadsTo(backend))
                            : Rule.of(jump, leadsTo(backend), new Random(Probability.oneOf(remaining))));
        }
        return rules;
    }

    private void masqueradeClusterIp(List<Rule> rules) {
        List<Match> matches = new ArrayList<>(Rules.to(port.clusterIp(), port.port(), port, "cluster IP"));
        switch (node.clusterIpMasquerade()) {
            case ClusterIpMasquerade.Always() -> rules.add(new Rule(matches, MARK_MASQ));
            case ClusterIpMasquerade.Never() -> {}
            case ClusterIpMasquerade.UnlessFrom(var pods) -> {
                matches.addAll(Rules.fromPods(pods, true));
                rules.add(new Rule(matches, MARK_MASQ));
            }
        }
    }

    private List<Rule> external() {
        String external = portName + " external destinations";
        if (!port.externalPolicyLocal()) {
            return List.of(
                    Rule.of(MARK_MASQ, Rules.comment("masquerade traffic for " + external)),
                    Rule.of(new Jump(names.cluster())));
        }
        List<Rule> rules = new ArrayList<>();
        List<Match> pods = Rules.fromPods(node.localPods(), false);
        if (!pods.isEmpty()) {
            List<Match> matches = new ArrayList<>(pods);
            matches.add(Rules.comment("pod traffic for " + external));
            rules.add(new Rule(matches, new Jump(names.cluster())));
        }
        Match fromNode = new SourceIsLocal(false);
        rules.add(Rule.of(MARK_MASQ, Rules.comment("masquerade LOCAL traffic for " + external), fromNode));
        rules.add(Rule.of(new Jump(names.cluster()), Rules.comment("route LOCAL traffic for " + external), fromNode));
        if (plan.external() == Handling.SERVE) {
            rules.add(Rule.of(new Jump(names.local())));
        }
        return rules;
    }

    private List<Rule> firewall() {
        List<Rule> rules = new ArrayList<>();
        for (IpPrefix allowed : plan.allowedSources()) {
            rules.add(Rule.of(
                    new Jump(names.external()),
                    new Source(allowed, false),
                    Rules.comment(portName + " loadbalancer IP")));
        }
        rules.add(Rule.of(
                new Target.None(),
                Rules.comment("other traffic to " + portName + " will be dropped by " + ChainNames.PROXY_FIREWALL)));
        return rules;
    }

    private List<Rule> endpoint(Backend backend) {
        Match.Comment comment = Rules.comment(portName);
        Rule hairpin =
                Rule.of(MARK_MASQ, new Source(IpPrefix.host(backend.address().ip()), false), comment);
        List<Match> matches = new ArrayList<>(List.of(new Protocol(port.name().protocol()), comment));
        if (port.affinity() instanceof Affinity.ClientIp) {
            matches.add(new Remember(chainOf(backend)));
        }
        matches.add(new AnyPort(port.name().protocol()));
        return List.of(hairpin, new Rule(matches, new Target.Dnat(backend.address())));
    }

    private Match leadsTo(Backend backend) {
        return Rules.comment(portName + " -> " + backend.address());
    }

    /** Cached: a name is a hash, and several rules need it. */
    private String chainOf(Backend backend) {
        return endpointChains.computeIfAbsent(backend.address(), address -> ChainNames.endpoint(port.name(), address));
    }
}
