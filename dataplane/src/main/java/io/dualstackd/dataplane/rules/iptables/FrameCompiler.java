package io.dualstackd.dataplane.rules.iptables;

import static io.dualstackd.dataplane.rules.iptables.Rules.comment;

import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.rules.iptables.Match.CtState;
import io.dualstackd.dataplane.rules.iptables.Match.CtState.State;
import io.dualstackd.dataplane.rules.iptables.Match.Destination;
import io.dualstackd.dataplane.rules.iptables.Match.DestinationIsLocal;
import io.dualstackd.dataplane.rules.iptables.Match.Mark;
import io.dualstackd.dataplane.rules.iptables.Match.Source;
import io.dualstackd.dataplane.rules.iptables.Target.Jump;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the rules a node needs regardless of Services: jumps, shared chains and their last rules, masquerade. */
public final class FrameCompiler {
    static final IpPrefix LOOPBACK_4 = IpPrefix.parse("127.0.0.0/8");
    private static final IpPrefix LOOPBACK_6 = IpPrefix.parse("::1/128");
    private static final CtState NEW = new CtState(Set.of(State.NEW), false);
    private static final Match.Comment NODE_PORTS_LAST =
            comment("kubernetes service nodeports; NOTE: this must be the last rule in this chain");

    private FrameCompiler() {}

    public static Frame compile(NodePlan node) {
        return new Frame(chains(node), shared(node), jumps(node));
    }

    private static SortedMap<ChainId, List<Rule>> chains(NodePlan node) {
        int mark = node.masqueradeMark();
        SortedMap<ChainId, List<Rule>> chains = canaries();
        chains.put(new ChainId(Table.NAT, ChainNames.MARK_MASQ), List.of(Rule.of(new Target.SetXmark(mark, mark))));
        chains.put(new ChainId(Table.NAT, ChainNames.POSTROUTING), masquerade(mark));
        chains.put(new ChainId(Table.FILTER, ChainNames.FORWARD), forward(node));
        return chains;
    }

    static SortedMap<ChainId, List<Rule>> canaries() {
        SortedMap<ChainId, List<Rule>> chains = new TreeMap<>();
        for (Table table : Table.values()) {
            chains.put(new ChainId(table, ChainNames.CANARY), List.of());
        }
        return chains;
    }

    static List<Rule> masquerade(int mark) {
        return List.of(
                Rule.of(new Target.Return(), new Mark(mark, mark, true)),
                // A packet may pass this chain a second time, inside a tunnel; it must not be masqueraded again.
                Rule.of(new Target.SetXmark(mark, 0)),
                Rule.of(new Target.Masquerade(true), comment("kubernetes service traffic requiring SNAT")));
    }

    static List<Rule> forward(NodePlan node) {
        int mark = node.masqueradeMark();
        List<Rule> rules = new ArrayList<>();
        if (node.dropInvalid()) {
            // A packet without a known connection is not translated back: the client would answer it with a reset.
            List<Match> matches = new ArrayList<>(List.of(new CtState(Set.of(State.INVALID), false)));
            if (node.countDropped()) {
                matches.add(PacketCounters.INVALID_DROPPED.match());
            }
            rules.add(new Rule(matches, new Target.Drop()));
        }
        rules.add(Rule.of(new Target.Accept(), comment("kubernetes forwarding rules"), new Mark(mark, mark, false)));
        rules.add(Rule.of(
                new Target.Accept(),
                comment("kubernetes forwarding conntrack rule"),
                new CtState(Set.of(State.RELATED, State.ESTABLISHED), false)));
        return List.copyOf(rules);
    }

    private static SortedMap<ChainId, List<Rule>> shared(NodePlan node) {
        SortedMap<ChainId, List<Rule>> shared = new TreeMap<>();
        shared.put(new ChainId(Table.NAT, ChainNames.SERVICES), nodePortJumps(node));
        shared.put(new ChainId(Table.NAT, ChainNames.NODE_PORTS), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.SERVICES), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.EXTERNAL_SERVICES), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.NODE_PORTS), List.of());
        shared.put(new ChainId(Table.FILTER, ChainNames.PROXY_FIREWALL), List.of());
        return shared;
    }

    private static List<Rule> nodePortJumps(NodePlan node) {
        return switch (node.nodePorts()) {
            case NodePortMatch.AllLocal(boolean loopback) -> {
                List<Match> matches = new ArrayList<>();
                if (!loopback) {
                    matches.add(new Destination(node.family() == IpFamily.IPV4 ? LOOPBACK_4 : LOOPBACK_6, true));
                }
                matches.add(NODE_PORTS_LAST);
                matches.add(new DestinationIsLocal(false));
                yield List.of(new Rule(matches, new Jump(ChainNames.NODE_PORTS)));
            }
            case NodePortMatch.Only(List<Ip> addresses) -> nodePortJumps(addresses, ChainNames.NODE_PORTS);
        };
    }

    static List<Rule> nodePortJumps(List<Ip> addresses, String chain) {
        return addresses.stream()
                .map(ip -> Rule.of(new Jump(chain), new Destination(IpPrefix.host(ip), false), NODE_PORTS_LAST))
                .toList();
    }

    static SortedMap<ChainId, List<Rule>> jumps(NodePlan node) {
        Rule firewall = newOnly(ChainNames.PROXY_FIREWALL, JumpComments.PROXY_FIREWALL);
        Rule healthChecks = always(ChainNames.NODE_PORTS, JumpComments.HEALTH_CHECKS);
        Rule external = newOnly(ChainNames.EXTERNAL_SERVICES, JumpComments.EXTERNAL_SERVICES);
        Rule services = newOnly(ChainNames.SERVICES, JumpComments.SERVICES);
        Rule natServices = always(ChainNames.SERVICES, JumpComments.SERVICES);

        SortedMap<ChainId, List<Rule>> jumps = new TreeMap<>();
        jumps.put(new ChainId(Table.NAT, "PREROUTING"), List.of(natServices));
        jumps.put(new ChainId(Table.NAT, "OUTPUT"), List.of(natServices));
        jumps.put(
                new ChainId(Table.NAT, "POSTROUTING"),
                List.of(always(ChainNames.POSTROUTING, JumpComments.POSTROUTING)));
        List<Rule> input = new ArrayList<>(List.of(firewall, healthChecks, external));
        List<Rule> output = new ArrayList<>(List.of(firewall, services));
        if (node.guardLoopback()) {
            Rule guard = Rule.of(new Jump(ChainNames.FIREWALL));
            input.add(guard);
            output.add(guard);
            jumps.put(new ChainId(Table.FILTER, ChainNames.FIREWALL), List.of(loopbackGuard()));
        }
        jumps.put(new ChainId(Table.FILTER, "INPUT"), List.copyOf(input));
        jumps.put(
                new ChainId(Table.FILTER, "FORWARD"),
                List.of(firewall, always(ChainNames.FORWARD, JumpComments.FORWARD), services, external));
        jumps.put(new ChainId(Table.FILTER, "OUTPUT"), List.copyOf(output));
        return jumps;
    }

    /** With localhost node ports the kernel routes 127.0.0.0/8; without this rule another host on the link could reach it. */
    private static Rule loopbackGuard() {
        return Rule.of(
                new Target.Drop(),
                new Source(LOOPBACK_4, true),
                new Destination(LOOPBACK_4, false),
                comment(JumpComments.LOOPBACK_GUARD),
                new CtState(Set.of(State.RELATED, State.ESTABLISHED, State.DNAT), true));
    }

    static Rule newOnly(String chain, String comment) {
        return Rule.of(new Jump(chain), NEW, comment(comment));
    }

    static Rule always(String chain, String comment) {
        return Rule.of(new Jump(chain), comment(comment));
    }
}
