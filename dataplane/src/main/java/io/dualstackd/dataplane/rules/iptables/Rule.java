package io.dualstackd.dataplane.rules.iptables;

import java.util.Comparator;
import java.util.List;

/**
 * One iptables rule: the target acts when all matches hold.
 *
 * @param matches in the order listings show: source, destination, interface, protocol, whatever order they were given in, then
 *     the {@code -m} matches in the order given
 */
public record Rule(List<Match> matches, Target target) {
    private static final int MODULE = 4;

    public Rule {
        matches = inListingOrder(matches);
    }

    public static Rule of(Target target, Match... matches) {
        return new Rule(List.of(matches), target);
    }

    /** Whether it counts packets at a named object of the kernel. */
    public boolean counts() {
        for (Match match : matches) {
            if (match instanceof Match.CountAt) {
                return true;
            }
        }
        return false;
    }

    private static List<Match> inListingOrder(List<Match> given) {
        for (int i = 1; i < given.size(); i++) {
            if (place(given.get(i - 1)) > place(given.get(i))) {
                return given.stream()
                        .sorted(Comparator.comparingInt(Rule::place))
                        .toList();
            }
        }
        return List.copyOf(given);
    }

    /** The header fields are a fixed structure in the kernel and so have no order of their own; modules are a list. */
    private static int place(Match match) {
        return switch (match) {
            case Match.Source ignored -> 0;
            case Match.Destination ignored -> 1;
            case Match.InInterface ignored -> 2;
            case Match.Protocol ignored -> 3;
            case Match.DestinationPort _,
                    Match.AnyPort _,
                    Match.Comment _,
                    Match.SourceIsLocal _,
                    Match.DestinationIsLocal _,
                    Match.CtState _,
                    Match.Mark _,
                    Match.Random _,
                    Match.SeenWithin _,
                    Match.CountAt _,
                    Match.Remember _ -> MODULE;
        };
    }
}
