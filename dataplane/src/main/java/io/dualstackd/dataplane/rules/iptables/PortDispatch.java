package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.rules.iptables.Match.Destination;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationIsLocal;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationPort;
import io.dualstackd.dataplane.rules.iptables.Match.Protocol;
import io.dualstackd.dataplane.rules.iptables.Target.Jump;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of one service port in the chains of all Services: jumps to its own chains, and reject or drop rules where no endpoint
 * serves.
 *
 * <p>Reject and drop rules are in the filter table and match the destination before translation, so they only apply to packets that no
 * nat rule translated.
 */
final class PortDispatch {
    private static final ChainId NAT_SERVICES = new ChainId(Table.NAT, ChainNames.SERVICES);
    private static final ChainId NAT_NODE_PORTS = new ChainId(Table.NAT, ChainNames.NODE_PORTS);
    private static final ChainId FILTER_SERVICES = new ChainId(Table.FILTER, ChainNames.SERVICES);
    private static final ChainId FILTER_EXTERNAL = new ChainId(Table.FILTER, ChainNames.EXTERNAL_SERVICES);
    private static final ChainId FILTER_NODE_PORTS = new ChainId(Table.FILTER, ChainNames.NODE_PORTS);
    private static final ChainId FILTER_FIREWALL = new ChainId(Table.FILTER, ChainNames.PROXY_FIREWALL);

    private final PortPlan plan;
    private final NodePlan node;
    private final ServicePort port;
    private final ChainNames.OfPort names;
    private final ServiceCompiler.Draft draft;
    private final Set<Ip> dispatched = new HashSet<>();

    private PortDispatch(PortPlan plan, NodePlan node, ServiceCompiler.Draft draft) {
        this.plan = plan;
        this.node = node;
        this.draft = draft;
        port = plan.port();
        names = ChainNames.of(port.name());
    }

    static void write(PortPlan plan, NodePlan node, ServiceCompiler.Draft draft) {
        PortDispatch dispatch = new PortDispatch(plan, node, draft);
        dispatch.clusterIp();
        dispatch.externalIps();
        dispatch.loadBalancerIps();
        dispatch.nodePort();
        dispatch.healthCheckNodePort();
    }

    private void clusterIp() {
        switch (plan.internal()) {
            case SERVE -> {
                Jump spread = new Jump(port.internalPolicyLocal() ? names.local() : names.cluster());
                nat(port.clusterIp(), "cluster IP", spread);
            }
            case REJECT, DROP -> refuse(FILTER_SERVICES, port.clusterIp(), plan.internal());
        }
    }

    private void externalIps() {
        for (Ip ip : port.externalIps()) {
            if (plan.hasExternalPath()) {
                nat(ip, "external IP", new Jump(names.external()));
            }
            refuse(FILTER_EXTERNAL, ip, plan.external());
        }
    }

    private void loadBalancerIps() {
        boolean filtered = Rules.filtersSources(plan);
        for (Ip ip : port.loadBalancerIps()) {
            if (plan.hasExternalPath()) {
                nat(ip, "loadbalancer IP", new Jump(filtered ? names.firewall() : names.external()));
            }
            if (filtered) {
                draft.dispatch(
                        FILTER_FIREWALL,
                        new Rule(
                                Rules.to(ip, port.port(), port, "traffic not accepted by " + names.firewall()),
                                new Target.Drop()));
            }
            refuse(FILTER_EXTERNAL, ip, plan.external());
        }
    }

    private void nodePort() {
        if (port.nodePort() == 0) {
            return;
        }
        Proto proto = port.name().protocol();
        DestinationPort toPort = new DestinationPort(proto, port.nodePort());
        if (plan.hasExternalPath()) {
            Jump jump = new Jump(names.external());
            Match.Comment comment = Rules.comment(port.name().toString());
            draft.dispatch(NAT_NODE_PORTS, Rule.of(jump, new Protocol(proto), comment, toPort));
            if (node.countLocalhost()) {
                draft.dispatch(
                        NAT_NODE_PORTS,
                        Rule.of(
                                jump,
                                new Destination(FrameCompiler.LOOPBACK_4, false),
                                new Protocol(proto),
                                comment,
                                toPort,
                                PacketCounters.LOCALHOST_NODE_PORTS.match()));
            }
        }
        if (plan.external() != Handling.SERVE) {
            draft.dispatch(
                    FILTER_EXTERNAL,
                    Rule.of(
                            refusal(plan.external()),
                            new Protocol(proto),
                            Rules.comment(port.name() + " " + why(plan.external())),
                            new DestinationIsLocal(false),
                            toPort));
        }
    }

    /** Each port of the Service writes its own, as kube-proxy does, although all carry the same number. */
    private void healthCheckNodePort() {
        if (port.healthCheckNodePort() != 0) {
            draft.dispatch(
                    FILTER_NODE_PORTS,
                    Rule.of(
                            new Target.Accept(),
                            new Protocol(Proto.TCP),
                            Rules.comment(port.name() + " health check node port"),
                            new DestinationPort(Proto.TCP, port.healthCheckNodePort())));
        }
    }

    /**
     * An address listed under two kinds belongs to the first: the order of rules in the shared chain is the order in which they were
     * added, so it cannot decide between the two.
     */
    private void nat(Ip ip, String kind, Jump jump) {
        if (dispatched.add(ip)) {
            draft.dispatch(NAT_SERVICES, new Rule(Rules.to(ip, port.port(), port, kind), jump));
        }
    }

    private void refuse(ChainId chain, Ip ip, Handling handling) {
        if (handling != Handling.SERVE) {
            List<Match> matches = Rules.to(ip, port.port(), port, why(handling));
            draft.dispatch(chain, new Rule(matches, refusal(handling)));
        }
    }

    private static Target refusal(Handling handling) {
        return switch (handling) {
            case REJECT -> new Target.Reject();
            case DROP -> new Target.Drop();
            case SERVE -> throw new IllegalArgumentException("what is served is not refused");
        };
    }

    private static String why(Handling handling) {
        return switch (handling) {
            case REJECT -> "has no endpoints";
            case DROP -> "has no local endpoints";
            case SERVE -> throw new IllegalArgumentException("what is served is not refused");
        };
    }
}
