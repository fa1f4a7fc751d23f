package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Walks the first packet of a connection through a rule set as the kernel would, following every branch a random draw can take.
 *
 * <p>Known simplifications: policies are ACCEPT, every packet can be routed, and no other rules act on it.
 */
public final class RuleWalk {
    private final Ruleset rules;
    private final Set<Ip> nodeAddresses;
    private final Observer observer;

    /** Receives what the walk meets; branches opened by a random draw may meet the same rule more than once. */
    public interface Observer {
        /** A rule matched; returns the step for the packet's trail, if it is to have one. */
        Optional<Trail.Step> matched(ChainId chain, Rule rule);
    }

    /**
     * @param nodeAddresses the node's own addresses; loopback addresses are local whether they are listed or not
     * @param observer of what the walk meets
     */
    public RuleWalk(Ruleset rules, Set<Ip> nodeAddresses, Observer observer) {
        this.rules = rules;
        this.nodeAddresses = Set.copyOf(nodeAddresses);
        this.observer = observer;
    }

    /** What rules decide about a packet. */
    public enum Verdict {
        ACCEPTED,
        DROPPED,
        REJECTED
    }

    /**
     * One possible end of a packet.
     *
     * @param probability above 0, up to 1; those of all ends of a packet add up to 1
     * @param translated the new destination of the packet, if it was translated
     * @param masqueraded its source becomes an address of the node; only for accepted packets
     * @param remembered affinity lists its source was put on
     * @param trail what it met on one of the ways to this end
     */
    public record End(
            double probability,
            Optional<IpPort> translated,
            boolean masqueraded,
            Verdict verdict,
            Set<String> remembered,
            Trail trail) {
        private End with(double other) {
            return new End(other, translated, masqueraded, verdict, remembered, trail);
        }

        /** Merges ends that differ in their probability only. */
        public static List<End> merged(Stream<End> ends) {
            Map<End, Double> merged = new LinkedHashMap<>();
            ends.forEach(end -> merged.merge(end.with(1), end.probability, Double::sum));
            return merged.entrySet().stream()
                    .map(entry -> entry.getKey().with(entry.getValue()))
                    .toList();
        }
    }

    /**
     * The ends of a packet.
     *
     * @param seen the affinity lists the client is on, recently enough
     */
    public List<End> walk(Packet packet, Set<String> seen) {
        List<Branch> branches = List.of(new Branch(1, State.of(packet), Optional.empty()));
        return switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> {
                branches = hook(branches, Table.NAT, "OUTPUT", packet, Optional.empty(), seen);
                branches = hook(branches, Table.FILTER, "OUTPUT", packet, Optional.empty(), seen);
                branches = hook(branches, Table.NAT, "POSTROUTING", packet, Optional.empty(), seen);
                List<Branch> all = new ArrayList<>();
                for (Branch branch : branches) {
                    all.addAll(
                            isLocal(branch.state().destination().ip())
                                    ? hook(List.of(branch), Table.FILTER, "INPUT", packet, Optional.of("lo"), seen)
                                    : List.of(branch));
                }
                yield ends(all);
            }
            case Packet.Origin.Interface(String name) -> {
                Optional<String> in = Optional.of(name);
                List<Branch> all = new ArrayList<>();
                for (Branch branch : hook(branches, Table.NAT, "PREROUTING", packet, in, seen)) {
                    if (isLocal(branch.state().destination().ip())) {
                        all.addAll(hook(List.of(branch), Table.FILTER, "INPUT", packet, in, seen));
                    } else {
                        List<Branch> passed = hook(List.of(branch), Table.FILTER, "FORWARD", packet, in, seen);
                        all.addAll(hook(passed, Table.NAT, "POSTROUTING", packet, in, seen));
                    }
                }
                yield ends(all);
            }
        };
    }

    private boolean isLocal(Ip ip) {
        return ip.isLoopback() || nodeAddresses.contains(ip);
    }

    /** Sends the branches without a verdict through one hook; there ACCEPT means to go on to the next hook. */
    private List<Branch> hook(
            List<Branch> before, Table table, String chain, Packet packet, Optional<String> in, Set<String> seen) {
        List<Branch> after = new ArrayList<>();
        ChainWalk walk = new ChainWalk(rules, table, new RuleMatch(packet, in, seen, this::isLocal), observer);
        for (Branch branch : before) {
            if (branch.verdict().isPresent()) {
                after.add(branch);
                continue;
            }
            for (Branch walked : walk.through(chain, branch)) {
                boolean passes = walked.verdict().orElse(Verdict.ACCEPTED) == Verdict.ACCEPTED;
                after.add(passes ? new Branch(walked.probability(), walked.state(), Optional.empty()) : walked);
            }
        }
        return after;
    }

    private static List<End> ends(List<Branch> branches) {
        return End.merged(branches.stream().map(branch -> {
            Verdict verdict = branch.verdict().orElse(Verdict.ACCEPTED);
            State state = branch.state();
            boolean masqueraded = state.masqueraded() && verdict == Verdict.ACCEPTED;
            return new End(
                    branch.probability(), state.translated(), masqueraded, verdict, state.remembered(), state.trail());
        }));
    }

    /** One of the paths a packet may have taken so far; without a verdict it goes on. */
    record Branch(double probability, State state, Optional<Verdict> verdict) {}

    /** The state of a packet after the rules so far. */
    record State(
            IpPort destination,
            int mark,
            Optional<IpPort> translated,
            boolean masqueraded,
            Set<String> remembered,
            Trail trail) {
        static State of(Packet packet) {
            IpPort to = new IpPort(packet.destination(), packet.port());
            return new State(to, 0, Optional.empty(), false, Set.of(), Trail.START);
        }

        State marked(int value, int mask) {
            return new State(destination, (mark & ~mask) ^ value, translated, masqueraded, remembered, trail);
        }

        State sentTo(IpPort to) {
            return new State(to, mark, Optional.of(to), masqueraded, remembered, trail);
        }

        State masquerade() {
            return new State(destination, mark, translated, true, remembered, trail);
        }

        State putOn(String list) {
            Set<String> more = new TreeSet<>(remembered);
            more.add(list);
            return new State(destination, mark, translated, masqueraded, more, trail);
        }

        State met(Optional<Trail.Step> step) {
            return new State(destination, mark, translated, masqueraded, remembered, trail.with(step));
        }
    }
}
