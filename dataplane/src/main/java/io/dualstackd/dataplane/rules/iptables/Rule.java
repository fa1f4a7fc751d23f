package io.dualstackd.dataplane.rules.iptables;

import java.util.List;

/** One iptables rule: all matches must hold for the target to act. The order of matches is kept; it shows in listings. */
public record Rule(List<Match> matches, Target target) {
    public Rule {
        matches = List.copyOf(matches);
    }

    public static Rule of(Target target, Match... matches) {
        return new Rule(List.of(matches), target);
    }
}
