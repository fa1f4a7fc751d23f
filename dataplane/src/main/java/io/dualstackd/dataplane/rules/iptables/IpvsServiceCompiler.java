package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.iptables.Match.AnyPort;
import io.dualstackd.dataplane.rules.iptables.Match.Destination;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationIsLocal;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationPort;
import io.dualstackd.dataplane.rules.iptables.Match.Protocol;
import io.dualstackd.dataplane.rules.iptables.Match.Source;
import io.dualstackd.dataplane.rules.iptables.Match.SourceIsLocal;
import io.dualstackd.dataplane.rules.iptables.Target.Jump;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the rules of one Service in IPVS mode. A pure function of the Service's plan, the node's, and the node's addresses.
 *
 * <p>A virtual server has one list of destinations, so with {@code externalTrafficPolicy: Local} it cannot send pods and the node
 * itself to other endpoints than external clients. Packets of pods and of the node bypass the policy: they are translated to the
 * ClusterIP, which has the cluster's list. Where both policies are Local there is no such list, and they are handled like all others.
 */
public final class IpvsServiceCompiler {
    /** The end of the comments of rules at which attempts are counted that IPVS rejects. */
    public static final String NO_ENDPOINTS = "has no endpoints";
    /** The end of the comments of rules that drop attempts. */
    public static final String NO_LOCAL_ENDPOINTS = "has no local endpoints";

    private static final ChainId NAT_SERVICES = new ChainId(Table.NAT, ChainNames.SERVICES);
    private static final ChainId NAT_NODE_PORT = new ChainId(Table.NAT, ChainNames.NODE_PORT);
    private static final ChainId NAT_ACCEPTED = new ChainId(Table.NAT, ChainNames.IPVS_SERVICES);
    private static final ChainId NAT_LOOP_BACK = new ChainId(Table.NAT, ChainNames.LOOP_BACK);
    private static final ChainId FIREWALL = new ChainId(Table.MANGLE, ChainNames.PROXY_FIREWALL);
    private static final ChainId HEALTH_CHECKS = new ChainId(Table.FILTER, ChainNames.NODE_PORT);
    private static final ChainId OPEN = new ChainId(Table.FILTER, ChainNames.IPVS_FILTER);
    private static final ChainId CLOSED = new ChainId(Table.FILTER, ChainNames.IPVS_IPS);
    private static final ChainId NODE_PORTS = new ChainId(Table.FILTER, ChainNames.IPVS_NODE_PORTS);
    private static final Jump MARK_MASQ = new Jump(ChainNames.MARK_MASQ);

    private final PortPlan plan;
    private final NodePlan node;
    private final Set<Ip> own;
    private final ServiceCompiler.Draft draft;
    private final ChainNames.OfPort names;
    private final String portName;
    private final Proto proto;
    private final Set<Ip> opened = new HashSet<>();

    private IpvsServiceCompiler(PortPlan plan, NodePlan node, Set<Ip> own, ServiceCompiler.Draft draft) {
        this.plan = plan;
        this.node = node;
        this.own = own;
        this.draft = draft;
        names = ChainNames.of(plan.port().name());
        portName = plan.port().name().toString();
        proto = plan.port().name().protocol();
    }

    /**
     * @param plan of the family of {@code node}
     * @param own addresses of the node that are not of any Service: they stay open when a Service has one of them, too
     */
    public static Fragment compile(ServicePlan plan, NodePlan node, Set<Ip> own) {
        ServiceCompiler.Draft draft = new ServiceCompiler.Draft();
        for (PortPlan port : plan.ports()) {
            new IpvsServiceCompiler(port, node, own, draft).write();
        }
        return draft.finish();
    }

    private void write() {
        clusterIp();
        if (plan.hasExternalPath()) {
            external();
        }
        externalAddresses();
        nodePortWithoutEndpoint();
        healthCheckNodePort();
        for (Backend backend : plan.reachable()) {
            if (backend.local()) {
                hairpin(backend.address());
            }
        }
    }

    private void clusterIp() {
        Ip ip = plan.port().clusterIp();
        if (plan.internal() == Handling.SERVE && !isOfKnownNetwork(ip)) {
            List<Match> matches = to(ip, "cluster IP");
            matches.addAll(IpvsFrameCompiler.unlessServedAsIs(node));
            draft.dispatch(NAT_SERVICES, new Rule(matches, MARK_MASQ));
        }
        open(ip, plan.internal());
    }

    private boolean isOfKnownNetwork(Ip ip) {
        return node.serviceCidrs().stream().anyMatch(network -> network.contains(ip));
    }

    private void externalAddresses() {
        plan.port().externalIps().forEach(ip -> open(ip, plan.external()));
        boolean filtered = Rules.filtersSources(plan);
        for (Ip ip : plan.port().loadBalancerIps()) {
            if (filtered) {
                draft.dispatch(FIREWALL, new Rule(to(ip, "loadbalancer IP"), new Jump(names.firewall())));
            }
            open(ip, plan.external());
        }
        if (filtered) {
            List<Rule> rules = draft.chain(new ChainId(Table.MANGLE, names.firewall()));
            for (IpPrefix allowed : plan.allowedSources()) {
                rules.add(Rule.of(new Target.Return(), new Source(allowed, false)));
            }
            rules.add(Rule.of(
                    new Target.Drop(), Rules.comment("traffic to " + portName + " from none of its source ranges")));
        }
    }

    /** Which packets are masqueraded, and which ones bypass the policy. */
    private void external() {
        Jump target = MARK_MASQ;
        if (plan.port().externalPolicyLocal()) {
            target = new Jump(names.external());
            draft.chain(names.external()).addAll(aroundThePolicy());
        }
        Set<Ip> seen = new HashSet<>();
        boolean asks = Rules.filtersSources(plan) && plan.port().externalPolicyLocal();
        if (asks) {
            List<Rule> rules = draft.chain(names.firewall());
            for (IpPrefix allowed : plan.allowedSources()) {
                rules.add(Rule.of(target, new Source(allowed, false)));
            }
        }
        for (Ip ip : plan.port().loadBalancerIps()) {
            if (seen.add(ip)) {
                draft.dispatch(
                        NAT_SERVICES, new Rule(to(ip, "loadbalancer IP"), asks ? new Jump(names.firewall()) : target));
            }
        }
        // Behind those: an address that is both is filtered by source.
        for (Ip ip : plan.port().externalIps()) {
            if (seen.add(ip)) {
                draft.dispatch(NAT_SERVICES, new Rule(to(ip, "external IP"), target));
            }
        }
        if (plan.port().nodePort() != 0) {
            draft.dispatch(
                    NAT_NODE_PORT,
                    Rule.of(
                            target,
                            new Protocol(proto),
                            Rules.comment(portName),
                            new DestinationPort(proto, plan.port().nodePort())));
        }
    }

    private List<Rule> aroundThePolicy() {
        String destinations = portName + " external destinations";
        Match fromNode = new SourceIsLocal(false);
        List<Rule> rules = new ArrayList<>();
        rules.add(Rule.of(MARK_MASQ, Rules.comment("masquerade LOCAL traffic for " + destinations), fromNode));
        if (plan.port().internalPolicyLocal()) {
            return rules;
        }
        IpPort clusterIp = new IpPort(plan.port().clusterIp(), plan.port().port());
        List<Match> pods = Rules.fromPods(node.localPods(), false);
        if (!pods.isEmpty()) {
            rules.add(around(pods, "pod traffic for " + destinations, clusterIp));
        }
        rules.add(around(List.of(fromNode), "route LOCAL traffic for " + destinations, clusterIp));
        return rules;
    }

    private Rule around(List<Match> senders, String why, IpPort clusterIp) {
        List<Match> matches = new ArrayList<>(senders);
        matches.add(new Protocol(proto));
        matches.add(Rules.comment(why));
        matches.add(new AnyPort(proto));
        return new Rule(matches, new Target.Dnat(clusterIp));
    }

    /** IPVS rejects at once where a virtual server has no destination; a silent drop needs a rule, also at an address of the node. */
    private void open(Ip ip, Handling handling) {
        if (!opened.add(ip)) {
            return;
        }
        if (!isOfKnownNetwork(ip)) {
            draft.dispatch(NAT_ACCEPTED, new Rule(to(ip, "is served by IPVS"), new Target.Accept()));
        }
        if (own.contains(ip) && handling != Handling.DROP) {
            return;
        }
        switch (handling) {
            case SERVE -> draft.dispatch(OPEN, new Rule(to(ip, "is served by IPVS"), new Target.Return()));
            case REJECT -> draft.dispatch(OPEN, new Rule(to(ip, NO_ENDPOINTS), new Target.Return()));
            case DROP -> draft.dispatch(OPEN, new Rule(to(ip, NO_LOCAL_ENDPOINTS), new Target.Drop()));
        }
        if (!own.contains(ip)) {
            draft.dispatch(
                    CLOSED,
                    Rule.of(
                            new Target.Reject(),
                            new Destination(IpPrefix.host(ip), false),
                            Rules.comment(plan.port().name().service() + " has no such port")));
        }
    }

    /** Where a node port rejects, the rule only counts: IPVS rejects. */
    private void nodePortWithoutEndpoint() {
        int number = plan.port().nodePort();
        if (number != 0) {
            switch (plan.external()) {
                case SERVE -> {}
                case REJECT -> draft.dispatch(NODE_PORTS, toNodePort(number, NO_ENDPOINTS, new Target.None()));
                case DROP -> draft.dispatch(NODE_PORTS, toNodePort(number, NO_LOCAL_ENDPOINTS, new Target.Drop()));
            }
        }
    }

    private Rule toNodePort(int number, String why, Target target) {
        return Rule.of(
                target,
                new Protocol(proto),
                Rules.comment(portName + " " + why),
                new DestinationIsLocal(false),
                new DestinationPort(proto, number));
    }

    private void healthCheckNodePort() {
        int number = plan.port().healthCheckNodePort();
        if (number != 0) {
            draft.dispatch(
                    HEALTH_CHECKS,
                    Rule.of(
                            new Target.Accept(),
                            new Protocol(Proto.TCP),
                            Rules.comment(portName + " health check node port"),
                            new DestinationPort(Proto.TCP, number)));
        }
    }

    private void hairpin(IpPort endpoint) {
        IpPrefix itself = IpPrefix.host(endpoint.ip());
        draft.dispatch(
                NAT_LOOP_BACK,
                Rule.of(
                        new Target.Masquerade(true),
                        new Source(itself, false),
                        new Destination(itself, false),
                        new Protocol(proto),
                        Rules.comment(portName),
                        new DestinationPort(proto, endpoint.port())));
    }

    private List<Match> to(Ip ip, String kind) {
        return new ArrayList<>(Rules.to(ip, plan.port().port(), plan.port(), kind));
    }
}
