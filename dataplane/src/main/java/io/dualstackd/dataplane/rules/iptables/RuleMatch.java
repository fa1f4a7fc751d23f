package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.Match.CtState;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.State;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Computes the probability with which matches hold for a packet.
 *
 * @param in the interface it came in through; none where the node sends it
 * @param seen the affinity lists its source is on
 */
record RuleMatch(Packet packet, Optional<String> in, Set<String> seen, Predicate<Ip> isLocal) {
    private static final double DRAWS = 0x1p31;

    /** 0 for never, 1 for always, between for a random draw. */
    double probability(List<Match> matches, State state) {
        double all = 1;
        for (Match match : matches) {
            all *= probability(match, state);
        }
        return all;
    }

    /** The state after matches with side effects, when all of them hold. */
    static State after(List<Match> matches, State state) {
        State after = state;
        for (Match match : matches) {
            if (match instanceof Match.Remember(String list)) {
                after = after.putOn(list);
            }
        }
        return after;
    }

    private double probability(Match match, State state) {
        return match instanceof Match.Random(int threshold) ? threshold / DRAWS : holds(match, state) ? 1 : 0;
    }

    private boolean holds(Match match, State state) {
        return switch (match) {
            case Match.Source(var prefix, boolean negated) -> prefix.contains(packet.source()) != negated;
            case Match.Destination(var prefix, boolean negated) ->
                prefix.contains(state.destination().ip()) != negated;
            case Match.InInterface(String name, boolean prefix, boolean negated) ->
                in.filter(actual -> prefix ? actual.startsWith(name) : actual.equals(name))
                                .isPresent()
                        != negated;
            case Match.Protocol(var proto) -> packet.protocol().equals(proto);
            case Match.AnyPort(var proto) -> packet.protocol().equals(proto);
            case Match.DestinationPort(var proto, int port) ->
                packet.protocol().equals(proto) && state.destination().port() == port;
            case Match.Comment ignored -> true;
            case Match.SourceIsLocal(boolean negated) -> isLocal.test(packet.source()) != negated;
            case Match.DestinationIsLocal(boolean negated) ->
                isLocal.test(state.destination().ip()) != negated;
            case CtState(var states, boolean negated) ->
                (states.contains(CtState.State.NEW)
                                || (states.contains(CtState.State.DNAT)
                                        && state.translated().isPresent()))
                        != negated;
            case Match.Mark(int value, int mask, boolean negated) -> ((state.mark() & mask) == value) != negated;
            case Match.SeenWithin(String list, int ignored) -> seen.contains(list);
            case Match.Remember ignored -> true;
            case Match.CountAt ignored -> true;
            case Match.Random ignored -> throw new IllegalArgumentException("a draw neither holds nor fails");
        };
    }
}
