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

/** What the rules of mode iptables do with destinations of Services, read from what {@code iptables-save} prints. */
final class IptablesReading {
    private static final Pattern ENTRY =
            Pattern.compile("(?:-d ([^/ ]+)/\\d+ )?-p (tcp|udp|sctp) .*--dport (\\d+) -j (\\S+).*");
    private static final Pattern OF_SERVICE = Pattern.compile("KUBE-(SVC|SVL|SEP|EXT|FW)-.*");
    private static final Pattern LEADS = Pattern.compile(".*-j (KUBE-SEP-\\S+)");
    private static final Pattern KNOWN =
            Pattern.compile(".*-m recent --rcheck --seconds (\\d+) --reap --name (\\S+) .*-j (\\S+)");
    private static final Pattern PROBABILITY = Pattern.compile(".*--probability ([0-9.]+) .*");
    private static final Pattern DNAT = Pattern.compile(".*--to-destination (\\S+)");
    private static final Pattern ALLOWED = Pattern.compile("-s (\\S+) .*-j (KUBE-EXT-\\S+)");

    private final boolean ipv6;
    /** By table and chain. */
    private final Map<String, List<String>> chains = new LinkedHashMap<>();

    private IptablesReading(boolean ipv6) {
        this.ipv6 = ipv6;
    }

    static Map<Destination, Set<String>> of(String saved, Destination frame) {
        IptablesReading reading = new IptablesReading(frame.equals(Destination.FRAME6));
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

    private List<String> rules(String chain) {
        return chains.getOrDefault(chain, List.of());
    }

    private Map<Destination, Set<String>> result(Destination frame) {
        Map<Destination, Set<String>> result = new TreeMap<>();
        Map<Destination, String> unserved = new TreeMap<>();
        for (String chain : List.of("filter KUBE-SERVICES", "filter KUBE-EXTERNAL-SERVICES", "filter KUBE-NODEPORTS")) {
            entries(chain, (destination, target) -> {
                if (target.equals("REJECT") || target.equals("DROP")) {
                    unserved.put(destination, target.equals("REJECT") ? "refused" : "dropped");
                }
            });
        }
        for (String chain : List.of("nat KUBE-SERVICES", "nat KUBE-NODEPORTS")) {
            entries(chain, (destination, target) -> {
                Set<String> before = result.get(destination);
                served(destination, target, unserved, result);
                if (before != null) {
                    result.put(destination, Set.of("ambiguous: " + before + result.get(destination)));
                }
            });
        }
        unserved.forEach((destination, how) -> {
            if (!result.containsKey(destination)) {
                result.put(destination, Set.of(how));
            } else if (!result.containsKey(destination.outside())) {
                result.merge(destination, Set.of(how), IptablesReading::both);
            }
        });
        result.put(frame, shared());
        return result;
    }

    private interface Entry {
        void take(Destination destination, String target);
    }

    private void entries(String chain, Entry to) {
        for (String rule : rules(chain)) {
            Matcher entry = ENTRY.matcher(rule);
            if (entry.matches()) {
                String ip = entry.group(1) == null ? (ipv6 ? "::" : "0.0.0.0") : entry.group(1);
                to.take(new Destination(ip, entry.group(2), Integer.parseInt(entry.group(3))), entry.group(4));
            }
        }
    }

    private void served(
            Destination destination,
            String target,
            Map<Destination, String> unserved,
            Map<Destination, Set<String>> result) {
        if (target.startsWith("KUBE-FW-")) {
            Set<String> allowed = new TreeSet<>();
            String leads = "";
            for (String rule : rules("nat " + target)) {
                Matcher matcher = ALLOWED.matcher(rule);
                if (matcher.matches()) {
                    allowed.add("for " + matcher.group(1));
                    leads = matcher.group(2);
                }
            }
            boolean closed = rules("filter KUBE-PROXY-FIREWALL").stream()
                    .anyMatch(rule -> rule.contains("-d " + destination.ip() + "/")
                            && rule.contains(" " + target + "\"")
                            && rule.endsWith("-j DROP"));
            served(destination, leads, unserved, result);
            result.merge(destination, closed ? allowed : Set.of("others pass"), IptablesReading::both);
        } else if (target.startsWith("KUBE-EXT-")) {
            external(destination, rules("nat " + target), unserved, result);
        } else {
            result.put(destination, target.isEmpty() ? Set.of("nothing") : reached(target));
        }
    }

    /** Pods and the node before all others, when those reach endpoints of this node only. */
    private void external(
            Destination destination,
            List<String> rules,
            Map<Destination, String> unserved,
            Map<Destination, Set<String>> result) {
        boolean local = rules.stream().anyMatch(rule -> rule.startsWith("-s "));
        Set<String> inside = new TreeSet<>();
        Set<String> outside = new TreeSet<>();
        boolean masqueraded = false;
        for (String rule : rules) {
            String target = rule.substring(rule.lastIndexOf(" -j ") + 4);
            masqueraded |= target.equals("KUBE-MARK-MASQ") && local == rule.contains("--src-type LOCAL");
            if (target.startsWith("KUBE-SVC-")) {
                inside.addAll(reached(target));
            } else if (target.startsWith("KUBE-SVL-")) {
                outside.addAll(reached(target));
            }
        }
        if (!masqueraded) {
            inside.add("not masqueraded");
        }
        result.put(destination, inside.isEmpty() ? Set.of("nothing") : inside);
        if (local) {
            String how = unserved.get(destination);
            if (how != null) {
                outside.add(how);
            }
            result.put(destination.outside(), outside.isEmpty() ? Set.of("nothing") : outside);
        }
    }

    private Set<String> shared() {
        Set<String> shared = new TreeSet<>();
        chains.forEach((name, rules) -> {
            String chain = name.substring(name.indexOf(' ') + 1);
            int number = 0;
            for (String rule : rules) {
                if (isShared(name, chain, rule)) {
                    shared.add(name + " " + number++ + " " + rule);
                }
            }
        });
        return shared;
    }

    private static boolean isShared(String name, String chain, String rule) {
        return chain.startsWith("KUBE-")
                ? !OF_SERVICE.matcher(chain).matches() && !rule.contains("\"" + Shape.NAMESPACE + "/")
                : rule.contains("KUBE-") && !name.contains("FOREIGN");
    }

    /** Each is drawn by the number of those that are left. */
    private Set<String> reached(String chain) {
        List<String> known = new ArrayList<>();
        List<String> drawn = new ArrayList<>();
        Set<String> reached = new TreeSet<>();
        List<String> leads = rules("nat " + chain).stream()
                .filter(rule -> LEADS.matcher(rule).matches())
                .toList();
        int count = (int)
                leads.stream().filter(rule -> !KNOWN.matcher(rule).matches()).count();
        for (String rule : leads) {
            Matcher lead = LEADS.matcher(rule);
            Matcher before = KNOWN.matcher(rule);
            Matcher probability = PROBABILITY.matcher(rule);
            if (before.matches() && before.group(2).equals(before.group(3)) && drawn.isEmpty()) {
                known.add(before.group(3));
                reached.add("for " + before.group(1) + " s the one of before");
            } else if (lead.matches()) {
                double share = probability.matches() ? Double.parseDouble(probability.group(1)) : 1;
                if (Math.abs(share - 1.0 / (count - drawn.size())) > 1e-6) {
                    reached.add("drawn with probability " + share);
                }
                drawn.add(lead.group(1));
                reached.add(endpoint(lead.group(1), !known.isEmpty()));
            }
        }
        if (!known.isEmpty() && !known.equals(drawn)) {
            reached.add("clients are known to " + known + ", endpoints drawn are " + drawn);
        }
        return reached.isEmpty() ? Set.of("nothing behind " + chain) : reached;
    }

    private String endpoint(String chain, boolean remembers) {
        return rules("nat " + chain).stream()
                .filter(rule -> rule.contains("-m recent --set --name " + chain + " ") == remembers)
                .map(DNAT::matcher)
                .filter(Matcher::matches)
                .map(dnat -> spaced(dnat.group(1)))
                .findFirst()
                .orElse("nothing behind " + chain);
    }

    private static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    private static String spaced(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return endpoint.substring(0, colon).replace("[", "").replace("]", "") + " " + endpoint.substring(colon + 1);
    }
}
