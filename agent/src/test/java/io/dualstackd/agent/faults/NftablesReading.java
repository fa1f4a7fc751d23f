package io.dualstackd.agent.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one table of mode nftables does with cluster IPs, read from what {@code nft list table} prints: a destination in the set
 * {@code service-ips-N} leads to the elements of the map {@code endpoints} with its numbers 0 to N-1.
 */
final class NftablesReading {
    private static final Pattern BLOCK = Pattern.compile("\t(set|map|chain) (\\S+) \\{");
    private static final Pattern DESTINATION = Pattern.compile("(\\S+) \\. (tcp|udp|sctp) \\. (\\d+)(?: comment .*)?");
    private static final Pattern ENDPOINT =
            Pattern.compile("(\\S+) \\. (tcp|udp|sctp) \\. (\\d+) \\. (\\d+) : (\\S+) \\. (\\d+)(?: comment .*)?");
    private static final Pattern SERVICES = Pattern.compile("service-ips(?:-(\\d+))?");
    private static final Pattern PICK = Pattern.compile(".* @service-ips(?:-(\\d+))? goto pick-endpoints-(\\d+|first)");
    private static final Pattern NUMBERED = Pattern.compile("[\\w-]+-\\d+");

    private final Map<Destination, Integer> counts = new TreeMap<>();
    private final Map<Destination, Map<Integer, String>> slots = new TreeMap<>();
    private final Set<Destination> rejected = new TreeSet<>();
    private final Set<Integer> picked = new TreeSet<>();
    private final Map<String, List<String>> chains = new LinkedHashMap<>();

    private NftablesReading() {}

    static Map<Destination, Set<String>> of(String listed, Destination frame) {
        NftablesReading reading = new NftablesReading();
        String kind = "";
        String name = "";
        List<String> lines = new ArrayList<>();
        for (String line : listed.lines().toList()) {
            Matcher block = BLOCK.matcher(line);
            if (block.matches()) {
                kind = block.group(1);
                name = block.group(2);
                lines = new ArrayList<>();
            } else if (line.equals("\t}")) {
                reading.add(kind, name, lines);
            } else {
                lines.add(line.strip());
            }
        }
        return reading.result(frame);
    }

    private void add(String kind, String name, List<String> lines) {
        if (kind.equals("chain")) {
            chains.put(name, lines);
            return;
        }
        Matcher services = SERVICES.matcher(name);
        if (services.matches()) {
            int count = services.group(1) == null ? 1 : Integer.parseInt(services.group(1));
            elements(lines, DESTINATION, found -> counts.merge(destination(found), count, Math::max));
        } else if (name.equals("reject-ips")) {
            elements(lines, DESTINATION, found -> rejected.add(destination(found)));
        } else if (name.equals("endpoints")) {
            elements(
                    lines,
                    ENDPOINT,
                    found -> slots.computeIfAbsent(destination(found), d -> new TreeMap<>())
                            .put(Integer.parseInt(found.group(4)), found.group(5) + " " + found.group(6)));
        }
    }

    private interface Element {
        void take(Matcher found);
    }

    private static void elements(List<String> lines, Pattern pattern, Element to) {
        String all = String.join(" ", lines);
        int begin = all.indexOf("elements = { ");
        if (begin < 0) {
            return;
        }
        for (String each : all.substring(begin + "elements = { ".length(), all.lastIndexOf(" }"))
                .split(", +", -1)) {
            Matcher found = pattern.matcher(each.strip());
            if (found.matches()) {
                to.take(found);
            }
        }
    }

    private static Destination destination(Matcher found) {
        return new Destination(found.group(1), found.group(2), Integer.parseInt(found.group(3)));
    }

    private Map<Destination, Set<String>> result(Destination frame) {
        Map<Destination, Set<String>> result = new TreeMap<>();
        rejected.forEach(destination -> result.put(destination, Set.of("refused")));
        Set<String> shared = sharedRules();
        counts.forEach((destination, count) -> result.put(destination, reached(destination, count)));
        slots.keySet().stream()
                .filter(destination -> !counts.containsKey(destination))
                .forEach(destination ->
                        result.merge(destination, Set.of("endpoints that nothing leads to"), NftablesReading::both));
        result.put(frame, shared);
        return result;
    }

    private Set<String> reached(Destination destination, int count) {
        Map<Integer, String> its = slots.getOrDefault(destination, Map.of());
        Set<String> reached = new TreeSet<>();
        for (int slot = 0; slot < count; slot++) {
            reached.add(its.getOrDefault(slot, "nothing under " + slot));
        }
        its.keySet().stream().filter(slot -> slot >= count).forEach(slot -> reached.add("left over: " + slot));
        if (!picked.contains(count)) {
            reached.add("nothing draws one of " + count);
        }
        if (rejected.contains(destination)) {
            reached.add("refused, too");
        }
        return reached;
    }

    private static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    /** Rules that are the same however many Services there are; those that draw are remembered. */
    private Set<String> sharedRules() {
        Set<String> shared = new TreeSet<>();
        chains.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .forEach(chain -> {
                    String name = chain.getKey();
                    int number = 0;
                    for (String rule : chain.getValue()) {
                        Matcher pick = PICK.matcher(rule);
                        if (pick.matches() && draws(pick)) {
                            picked.add(pick.group(1) == null ? 1 : Integer.parseInt(pick.group(1)));
                        } else if (!pick.matches() && !NUMBERED.matcher(name).matches()) {
                            shared.add(name + " " + number++ + " " + rule);
                        }
                    }
                });
        return shared;
    }

    private boolean draws(Matcher pick) {
        String to = pick.group(2);
        List<String> rules = chains.getOrDefault("pick-endpoints-" + to, List.of());
        return to.equals("first")
                ? !rules.isEmpty()
                : to.equals(pick.group(1))
                        && rules.stream().anyMatch(rule -> rule.contains(" mod " + to + " map @endpoints"));
    }
}
