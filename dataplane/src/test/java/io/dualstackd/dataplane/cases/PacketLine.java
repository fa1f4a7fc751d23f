package io.dualstackd.dataplane.cases;

import static java.util.stream.Collectors.joining;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.RuleWalk;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Protos;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A packet and what becomes of it: {@code SOURCE [via INTERFACE] [known to ENDPOINT] → DESTINATION:PORT PROTOCOL = RESULT}.
 *
 * <p>Without an interface the node itself sends it. A client {@code known to} an endpoint was sent there recently. The result is
 * {@code reject}, {@code drop}, {@code pass} (no Service wants it), or endpoints, all equally likely, and whether they see an
 * address of the node as the source: {@code 10.0.0.2:8080, 10.0.1.2:8080 masq=no}; groups that differ in that are separated by
 * {@code |}.
 *
 * @param known the endpoint the client was sent to recently
 */
record PacketLine(String text, Packet packet, Optional<IpPort> known, String expected) {
    private static final Pattern SHAPE =
            Pattern.compile("(\\S+)(?: via (\\S+))?(?: known to (\\S+))? → (\\S+) (\\S+) = (.+)");

    static PacketLine parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a packet: " + text);
        }
        IpPort to = address(matcher.group(4));
        Packet.Origin origin = Optional.ofNullable(matcher.group(2))
                .<Packet.Origin>map(Packet.Origin.Interface::new)
                .orElseGet(Packet.Origin.ThisNode::new);
        Packet packet =
                new Packet(Ip.parse(matcher.group(1)), origin, to.ip(), Protos.named(matcher.group(5)), to.port());
        return new PacketLine(
                text,
                packet,
                Optional.ofNullable(matcher.group(3)).map(PacketLine::address),
                matcher.group(6).strip());
    }

    /** What the rules make of the packet, in the words of a result. */
    String walk(Ruleset rules, NodeView node, List<ServicePlan> plans) {
        Set<String> lists = plans.stream()
                .flatMap(plan -> plan.ports().stream())
                .flatMap(port -> known.stream()
                        .map(endpoint -> ChainNames.endpoint(port.port().name(), endpoint)))
                .collect(Collectors.toSet());
        List<End> ends = new RuleWalk(rules, new HashSet<>(node.addresses()), (chain, rule) -> Optional.empty())
                .walk(packet, lists);
        return result(ends);
    }

    private static String result(List<End> ends) {
        double share = 1.0 / ends.size();
        if (ends.stream().anyMatch(end -> Math.abs(end.probability() - share) > 1e-6)) {
            return "not evenly: " + ends;
        }
        if (ends.size() == 1 && ends.getFirst().translated().isEmpty()) {
            Verdict verdict = ends.getFirst().verdict();
            return switch (verdict) {
                case ACCEPTED -> "pass";
                case DROPPED -> "drop";
                case REJECTED -> "reject";
            };
        }
        return Stream.of(group(ends, true), group(ends, false))
                .filter(group -> !group.isEmpty())
                .collect(joining(" | "));
    }

    private static String group(List<End> ends, boolean masqueraded) {
        String targets = ends.stream()
                .filter(end -> end.masqueraded() == masqueraded)
                .map(end -> end.translated().map(IpPort::toString).orElse("nowhere")
                        + (end.verdict() == Verdict.ACCEPTED ? "" : " " + end.verdict()))
                .sorted()
                .collect(joining(", "));
        return targets.isEmpty() ? "" : targets + " masq=" + (masqueraded ? "yes" : "no");
    }

    private static IpPort address(String text) {
        int colon = text.lastIndexOf(':');
        String ip = text.substring(0, colon).replaceAll("[\\[\\]]", "");
        return new IpPort(Ip.parse(ip), Integer.parseInt(text.substring(colon + 1)));
    }
}
