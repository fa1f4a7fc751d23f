package io.dualstackd.dataplane.cases;

import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Makes two listings comparable that may differ in the order of Services and in what is left to others. */
final class ListedRules {
    private static final Set<String> SHARED = Set.of(
            "INPUT",
            "FORWARD",
            "OUTPUT",
            "KUBE-SERVICES",
            "KUBE-NODEPORTS",
            "KUBE-EXTERNAL-SERVICES",
            "KUBE-PROXY-FIREWALL");
    private static final String TAIL = "must be the last rule";
    private static final String GUEST = ":KUBE-FIREWALL";

    private ListedRules() {}

    /**
     * The listing without comments and counters, all tables present, dispatch rules and jumps sorted except that tails stay where they
     * are, and without the declaration of a chain that is not ours to delete.
     */
    static String comparable(String listing) {
        String all = Tools.normal(listing + missingTables(listing));
        List<String> lines = new ArrayList<>();
        List<String> run = new ArrayList<>();
        String chain = "";
        for (String line : all.lines().filter(line -> !line.startsWith(GUEST)).toList()) {
            String[] words = line.split(" ", 3);
            String of = words[0].equals("-A") && SHARED.contains(words[1]) && !line.contains(TAIL) ? words[1] : "";
            if (!of.equals(chain)) {
                run.stream().sorted().forEach(lines::add);
                run.clear();
                chain = of;
            }
            (of.isEmpty() ? lines : run).add(line);
        }
        return String.join("\n", lines);
    }

    /** The tools list a table only once it has been requested. */
    private static String missingTables(String listing) {
        StringBuilder more = new StringBuilder();
        Stream.of(Table.values())
                .filter(table -> !listing.contains("*" + table))
                .forEach(table -> more.append("*").append(table).append("\nCOMMIT\n"));
        return more.toString();
    }
}
