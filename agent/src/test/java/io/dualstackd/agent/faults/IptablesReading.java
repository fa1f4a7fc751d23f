package io.dualstackd.agent.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the rules of mode iptables do with cluster IPs, read from what {@code iptables-save} prints. */
final class IptablesReading {
    private static final Pattern ENTRY =
            Pattern.compile("-d ([^/ ]+)/\\d+ -p (tcp|udp|sctp) .*--dport (\\d+) -j (KUBE-SVC-\\S+|REJECT.*)");
    private static final Pattern LEADS = Pattern.compile(".*-j (KUBE-SEP-\\S+)");
    private static final Pattern PROBABILITY = Pattern.compile(".*--probability ([0-9.]+) .*");
    private static final Pattern DNAT = Pattern.compile(".*--to-destination (\\S+)");

    /** By table and chain. */
    private final Map<String, List<String>> chains = new LinkedHashMap<>();

    private IptablesReading() {}

    static Map<Destination, Set<String>> of(String saved, Destination frame) {
        IptablesReading reading = new IptablesReading();
        String table = "";
        for (String line : saved.lines().toList()) {
            if (line.startsWith("*")) {
                table = line.substring(1);
            } else if (line.startsWith("-A ")) {
                String[] parts = line.split(" ", 3);
                reading.chains
                        .computeIfAbsent(table + " " + parts[1], name -> new ArrayList<>())
                        .add(parts[2]);
            }
        }
        return reading.result(frame);
    }

    private Map<Destination, Set<String>> result(Destination frame) {
        Map<Destination, Set<String>> result = new TreeMap<>();
        Set<String> shared = new TreeSet<>();
        chains.forEach((name, rules) -> {
            String chain = name.substring(name.indexOf(' ') + 1);
            int number = 0;
            for (String rule : rules) {
                Matcher entry = ENTRY.matcher(rule);
                if (entry.matches() && chain.equals("KUBE-SERVICES")) {
                    result.merge(
                            new Destination(entry.group(1), entry.group(2), Integer.parseInt(entry.group(3))),
                            entry.group(4).startsWith("REJECT") ? Set.of("refused") : reached(entry.group(4)),
                            (one, other) -> Set.of("ambiguous: " + one + other));
                } else if (isShared(name, chain, rule)) {
                    shared.add(name + " " + number++ + " " + rule);
                }
            }
        });
        result.put(frame, shared);
        return result;
    }

    private static boolean isShared(String name, String chain, String rule) {
        return chain.startsWith("KUBE-")
                ? !chain.startsWith("KUBE-SVC-") && !chain.startsWith("KUBE-SEP-")
                : rule.contains("KUBE-") && !name.contains("FOREIGN");
    }

    /** Each is drawn by the number of those that are left. */
    private Set<String> reached(String chain) {
        List<String> leads = chains.getOrDefault("nat " + chain, List.of()).stream()
                .filter(rule -> LEADS.matcher(rule).matches())
                .toList();
        Set<String> reached = new TreeSet<>();
        for (int i = 0; i < leads.size(); i++) {
            Matcher probability = PROBABILITY.matcher(leads.get(i));
            double told = probability.matches() ? Double.parseDouble(probability.group(1)) : 1;
            if (Math.abs(told - 1.0 / (leads.size() - i)) > 1e-6) {
                reached.add("drawn with probability " + told);
            }
            Matcher lead = LEADS.matcher(leads.get(i));
            reached.add(lead.matches() ? endpoint(lead.group(1)) : "");
        }
        return reached.isEmpty() ? Set.of("nothing behind " + chain) : reached;
    }

    private String endpoint(String chain) {
        return chains.getOrDefault("nat " + chain, List.of()).stream()
                .map(DNAT::matcher)
                .filter(Matcher::matches)
                .map(dnat -> spaced(dnat.group(1)))
                .findFirst()
                .orElse("nothing behind " + chain);
    }

    private static String spaced(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return endpoint.substring(0, colon).replace("[", "").replace("]", "") + " " + endpoint.substring(colon + 1);
    }
}
