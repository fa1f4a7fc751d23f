package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.rules.iptables.Match.Destination;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationPort;
import io.dualstackd.dataplane.rules.iptables.Match.InInterface;
import io.dualstackd.dataplane.rules.iptables.Match.Protocol;
import io.dualstackd.dataplane.rules.iptables.Match.Source;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;

/** Matches that several kinds of chains have in common. */
final class Rules {
    private Rules() {}

    static Match.Comment comment(String text) {
        return Match.Comment.of(text);
    }

    /** Matches one address and port of {@code port}, with the comment {@code ns/name:port KIND}. */
    static List<Match> to(Ip ip, int number, ServicePort port, String kind) {
        Proto proto = port.name().protocol();
        return List.of(
                new Destination(IpPrefix.host(ip), false),
                new Protocol(proto),
                comment(port.name() + " " + kind),
                new DestinationPort(proto, number));
    }

    /** Matches packets from a pod of this node, or others when {@code negated}; empty when that cannot be detected. */
    static List<Match> fromPods(LocalDetector detector, boolean negated) {
        return switch (detector) {
            case LocalDetector.None() -> List.of();
            case LocalDetector.SourceIn(IpPrefix pods) -> List.of(new Source(pods, negated));
            case LocalDetector.FromBridge(String name) -> List.of(new InInterface(name, false, negated));
            case LocalDetector.FromInterfacePrefix(String prefix) -> List.of(new InInterface(prefix, true, negated));
        };
    }

    /** Whether the load-balancer addresses of a port have a chain that filters by source. */
    static boolean filtersSources(PortPlan plan) {
        return plan.hasEndpoints()
                && !plan.port().loadBalancerIps().isEmpty()
                && !plan.allowedSources().isEmpty();
    }
}
