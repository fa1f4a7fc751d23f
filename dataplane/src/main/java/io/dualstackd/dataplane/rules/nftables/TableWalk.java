package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.dataplane.rules.nftables.RuleRun.Decision;
import io.dualstackd.dataplane.rules.nftables.RuleRun.Step;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.expr.NftExpr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Walks the first packet of a connection through a table as the kernel would, following every branch a random draw can take.
 *
 * <p>Known simplifications: every packet can be routed, and nothing but this table acts on it.
 */
public final class TableWalk {
    private final WalkedTable table;
    private final Set<Ip> nodeAddresses;
    private final Observer observer;

    /** Receives what the walk meets; paths opened by a random draw may meet the same element more than once. */
    public interface Observer {
        /**
         * An element of a set or map was found by a rule of {@code chain}; returns the step for the packet's trail, if it is to have one.
         */
        Optional<Trail.Step> found(String chain, String set, NftElement element);
    }

    /**
     * @param nodeAddresses the node's own addresses; loopback addresses are local whether they are listed or not
     * @param observer of what the walk meets
     */
    public TableWalk(WalkedTable table, Set<Ip> nodeAddresses, Observer observer) {
        this.table = table;
        this.nodeAddresses = Set.copyOf(nodeAddresses);
        this.observer = observer;
    }

    /** The ends of a packet; their probabilities add up to 1. Affinity sets that hold its source are taken into account. */
    public List<End> walk(Packet packet) {
        List<Way> ways = List.of(new Way(WalkingPacket.of(packet), Optional.empty()));
        switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> {
                ways = hook(ways, NftHook.OUTPUT, chain -> true, way -> true);
                ways = hook(ways, NftHook.POSTROUTING, chain -> true, way -> true);
                ways = ways.stream()
                        .map(way -> isLocal(way.packet().to().ip())
                                ? new Way(way.packet().looped(), way.end())
                                : way)
                        .toList();
                // A connection is translated once.
                ways = hook(ways, NftHook.PREROUTING, hook -> !hook.type().equals("nat"), this::staysHere);
                ways = hook(ways, NftHook.INPUT, chain -> true, this::staysHere);
            }
            case Packet.Origin.Interface ignored -> {
                ways = hook(ways, NftHook.PREROUTING, chain -> true, way -> true);
                ways = hook(ways, NftHook.INPUT, chain -> true, this::staysHere);
                ways = hook(ways, NftHook.FORWARD, chain -> true, way -> !staysHere(way));
                ways = hook(ways, NftHook.POSTROUTING, chain -> true, way -> !staysHere(way));
            }
        }
        return ends(ways);
    }

    /** A packet, and its verdict if there is one. */
    private record Way(WalkingPacket packet, Optional<Verdict> end) {}

    private boolean staysHere(Way way) {
        return isLocal(way.packet().to().ip());
    }

    private boolean isLocal(Ip ip) {
        return ip.isLoopback() || nodeAddresses.contains(ip);
    }

    /** Sends those that are {@code concerned} and have no verdict through the base chains of a hook, by priority. */
    private List<Way> hook(List<Way> ways, int number, Predicate<NftHook> which, Predicate<Way> concerned) {
        List<String> chains = table.chains().entrySet().stream()
                .filter(chain -> chain.getValue()
                        .hook()
                        .filter(hook -> hook.number() == number && which.test(hook))
                        .isPresent())
                .sorted(Comparator.comparingInt(
                        chain -> chain.getValue().hook().orElseThrow().priority()))
                .map(Map.Entry::getKey)
                .toList();
        List<Way> now = ways;
        for (String chain : chains) {
            List<Way> after = new ArrayList<>();
            for (Way way : now) {
                if (way.end().isPresent() || !concerned.test(way)) {
                    after.add(way);
                } else {
                    through(chain, way.packet()).forEach(passed -> after.add(atHook(passed)));
                }
            }
            now = after;
        }
        return now;
    }

    /** A packet that a base chain accepts goes on to the next one. */
    private static Way atHook(Way way) {
        return way.end().equals(Optional.of(Verdict.ACCEPTED)) ? new Way(way.packet(), Optional.empty()) : way;
    }

    /** Without a verdict the packet returns to the rule after the jump. */
    private List<Way> through(String name, WalkingPacket packet) {
        WalkedTable.Chain chain = table.chains().get(name);
        if (chain == null) {
            throw new IllegalStateException("a rule leads to the chain " + name + ", which there is not");
        }
        List<Way> out = new ArrayList<>();
        List<WalkingPacket> inside = List.of(packet);
        for (List<NftExpr> rule : chain.rules()) {
            List<WalkingPacket> onward = new ArrayList<>();
            for (WalkingPacket one : inside) {
                for (Step step : RuleRun.of(
                        table, this::isLocal, rule, one, (set, element) -> observer.found(name, set, element))) {
                    follow(name, one, step, onward, out);
                }
            }
            inside = together(onward);
        }
        inside.forEach(one -> out.add(new Way(one, Optional.empty())));
        return out;
    }

    /** Merges packets with the same state: otherwise a hundred draws in a row would make more of them than memory can hold. */
    private static List<WalkingPacket> together(List<WalkingPacket> packets) {
        Map<WalkingPacket, Double> merged = new LinkedHashMap<>();
        packets.forEach(packet -> merged.merge(packet.withProbability(1), packet.probability(), Double::sum));
        return merged.entrySet().stream()
                .map(entry -> entry.getKey().withProbability(entry.getValue()))
                .toList();
    }

    /** A rule that drops without a set is in the trail itself. */
    private static WalkingPacket droppedIn(String chain, WalkingPacket before, WalkingPacket after) {
        boolean found = after.trail().steps().size() > before.trail().steps().size();
        return found ? after : after.met(Optional.of(new Trail.Step("chain " + chain, "drop")));
    }

    private void follow(String chain, WalkingPacket before, Step step, List<WalkingPacket> onward, List<Way> out) {
        switch (step.decision()) {
            case Decision.Nothing() -> onward.add(step.packet());
            case Decision.Refuses() -> out.add(new Way(step.packet(), Optional.of(Verdict.REJECTED)));
            case Decision.Takes(var verdict) -> {
                switch (verdict) {
                    case io.dualstackd.netlink.nft.data.Verdict.Accept() ->
                        out.add(new Way(step.packet(), Optional.of(Verdict.ACCEPTED)));
                    case io.dualstackd.netlink.nft.data.Verdict.Drop() ->
                        out.add(new Way(droppedIn(chain, before, step.packet()), Optional.of(Verdict.DROPPED)));
                    case io.dualstackd.netlink.nft.data.Verdict.Continue() -> onward.add(step.packet());
                    case io.dualstackd.netlink.nft.data.Verdict.Return() ->
                        out.add(new Way(step.packet(), Optional.empty()));
                    case io.dualstackd.netlink.nft.data.Verdict.Goto(String to) ->
                        out.addAll(through(to, step.packet()));
                    case io.dualstackd.netlink.nft.data.Verdict.Jump(String to) -> {
                        for (Way way : through(to, step.packet())) {
                            if (way.end().isPresent()) {
                                out.add(way);
                            } else {
                                onward.add(way.packet());
                            }
                        }
                    }
                    case io.dualstackd.netlink.nft.data.Verdict other ->
                        throw new IllegalStateException("no rule of ours decides " + other);
                }
            }
        }
    }

    private static List<End> ends(List<Way> ways) {
        return End.merged(ways.stream().map(way -> {
            Verdict verdict = way.end().orElse(Verdict.ACCEPTED);
            WalkingPacket packet = way.packet();
            boolean masqueraded = packet.masqueraded() && verdict == Verdict.ACCEPTED;
            return new End(
                    packet.probability(),
                    packet.translated(),
                    masqueraded,
                    verdict,
                    packet.remembered(),
                    packet.trail());
        }));
    }
}
