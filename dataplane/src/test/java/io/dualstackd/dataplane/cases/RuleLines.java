package io.dualstackd.dataplane.cases;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The bodies of {@code expect} blocks. */
final class RuleLines {
    private static final Frame NO_FRAME = new Frame(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    private RuleLines() {}

    /** What Services add; chains of one table together. */
    static List<String> ofFragments(IpFamily family, List<Fragment> fragments) {
        return lines(Ruleset.of(family, NO_FRAME, fragments));
    }

    static List<String> ofFrame(IpFamily family, Frame frame) {
        return lines(Ruleset.of(family, frame, List.of()));
    }

    private static List<String> lines(Ruleset rules) {
        List<String> lines = new ArrayList<>();
        for (Table table : Table.values()) {
            List<String> content = new ArrayList<>();
            for (Map.Entry<ChainId, List<Rule>> chain : rules.chains().entrySet()) {
                if (chain.getKey().table() == table && chain.getValue().isEmpty()) {
                    content.add(":" + chain.getKey().name() + " -");
                } else if (chain.getKey().table() == table) {
                    chain.getValue()
                            .forEach(rule -> content.add(IptablesText.line(
                                    rules.family(), chain.getKey().name(), rule)));
                }
            }
            if (!content.isEmpty()) {
                lines.add("*" + table);
                lines.addAll(content);
            }
        }
        return lines;
    }

    /** Chains that came or went, and lines that came or went in chains that stayed. */
    static List<String> ofChange(Ruleset before, Ruleset after) {
        List<String> lines = new ArrayList<>();
        SortedSet<ChainId> chains = new TreeSet<>(before.chains().keySet());
        chains.addAll(after.chains().keySet());
        for (ChainId chain : chains) {
            boolean was = before.chains().containsKey(chain);
            boolean is = after.chains().containsKey(chain);
            if (was && !is) {
                lines.add("- " + chain.table() + " -X " + chain.name());
                continue;
            }
            if (!was) {
                lines.add("+ " + chain.table() + " -N " + chain.name());
            }
            List<String> old = lines(before, chain);
            List<String> now = lines(after, chain);
            old.stream()
                    .filter(line -> !now.contains(line))
                    .forEach(line -> lines.add("- " + chain.table() + " " + line));
            now.stream()
                    .filter(line -> !old.contains(line))
                    .forEach(line -> lines.add("+ " + chain.table() + " " + line));
        }
        return lines;
    }

    private static List<String> lines(Ruleset rules, ChainId chain) {
        return rules.rules(chain).stream()
                .map(rule -> IptablesText.line(rules.family(), chain.name(), rule))
                .toList();
    }
}
