package io.dualstackd.agent.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the four ways in which mode nftables draws an endpoint: destinations in the set {@code COUNTED-N} lead to the elements of a map
 * with their numbers 0 to N-1, those in the map {@code STICKY} to a chain of their own.
 */
final class NftablesPool {
    private static final Pattern KNOWN = Pattern.compile("ip6? saddr @affinity-(\\S+) goto endpoint-(\\S+)");
    private static final Pattern DRAWN = Pattern.compile("(?:numgen random mod (\\d+) 0 )?goto endpoint-(\\S+)");
    private static final Pattern UPDATE = Pattern.compile("update @affinity-(\\S+) \\{ ip6? saddr timeout (\\S+) }");
    private static final Pattern DNAT = Pattern.compile("meta l4proto \\S+ dnat to (\\S+)");

    private final String counted;
    private final String pick;
    private final Pattern lead;
    private final Map<Destination, Integer> counts = new TreeMap<>();
    private final Map<Destination, Map<Integer, String>> slots = new TreeMap<>();
    private final Map<Destination, String> sticky = new TreeMap<>();
    private final Set<Integer> picked = new TreeSet<>();

    /**
     * @param counted sets of it hold destinations, with the number of their endpoints behind the name
     * @param pick chains of it draw an endpoint
     */
    NftablesPool(String counted, String pick) {
        this.counted = counted;
        this.pick = pick;
        this.lead = Pattern.compile(".* @" + counted + "-(\\d+) goto " + pick + "-(\\d+)");
    }

    boolean counts(String set) {
        return set.matches(counted + "-\\d+");
    }

    void count(Destination destination, String set) {
        counts.merge(destination, Integer.parseInt(set.substring(counted.length() + 1)), Math::max);
    }

    void slot(Destination destination, int number, String endpoint) {
        slots.computeIfAbsent(destination, d -> new TreeMap<>()).put(number, endpoint);
    }

    void sticky(Destination destination, String chain) {
        sticky.put(destination, chain);
    }

    /** Whether it is the rule that leads destinations with so many endpoints to where one is drawn; it is remembered. */
    boolean leads(String chain, String rule, Map<String, List<String>> chains) {
        Matcher found = lead.matcher(rule);
        if (!chain.equals(pick) || !found.matches()) {
            return false;
        }
        String many = found.group(1);
        boolean draws = found.group(2).equals(many)
                && chains.getOrDefault(pick + "-" + many, List.of()).stream()
                        .anyMatch(drawing -> drawing.contains(" numgen random mod " + many + " map @"));
        if (draws) {
            picked.add(Integer.parseInt(many));
        }
        return draws;
    }

    /** Destinations that have endpoints here. */
    Set<Destination> all() {
        Set<Destination> all = new TreeSet<>(slots.keySet());
        all.addAll(counts.keySet());
        all.addAll(sticky.keySet());
        return all;
    }

    Set<String> reached(Destination destination, Map<String, List<String>> chains) {
        String chain = sticky.get(destination);
        Set<String> reached = chain == null ? drawn(destination) : reached(chain, chains);
        return reached.isEmpty() ? Set.of("nothing") : reached;
    }

    private Set<String> drawn(Destination destination) {
        Map<Integer, String> its = slots.getOrDefault(destination, Map.of());
        int count = counts.getOrDefault(destination, 1);
        Set<String> reached = new TreeSet<>();
        for (int slot = 0; slot < count; slot++) {
            reached.add(its.getOrDefault(slot, "nothing under " + slot));
        }
        its.keySet().stream().filter(slot -> slot >= count).forEach(slot -> reached.add("left over: " + slot));
        if (!picked.contains(count)) {
            reached.add("nothing draws one of " + count);
        }
        return reached;
    }

    /** First those who came before, then each of those that are left by their number. */
    private static Set<String> reached(String chain, Map<String, List<String>> chains) {
        List<String> known = new ArrayList<>();
        List<String> drawn = new ArrayList<>();
        Set<String> reached = new TreeSet<>();
        List<String> rules = chains.getOrDefault(chain, List.of());
        for (String rule : rules) {
            Matcher before = KNOWN.matcher(rule);
            Matcher draw = DRAWN.matcher(rule);
            if (before.matches() && before.group(1).equals(before.group(2)) && drawn.isEmpty()) {
                known.add(before.group(2));
            } else if (draw.matches()) {
                int left = rules.size() / 2 - drawn.size();
                if (left != (draw.group(1) == null ? 1 : Integer.parseInt(draw.group(1)))) {
                    reached.add("drawn as one of " + left);
                }
                drawn.add(draw.group(2));
            } else {
                reached.add(rule);
            }
        }
        if (!known.equals(drawn)) {
            reached.add("clients are known to " + known + ", endpoints drawn are " + drawn);
        }
        drawn.forEach(endpoint -> reached.addAll(endpoint(endpoint, chains)));
        return reached;
    }

    private static Set<String> endpoint(String name, Map<String, List<String>> chains) {
        List<String> rules = chains.getOrDefault("endpoint-" + name, List.of());
        Matcher update = UPDATE.matcher(rules.isEmpty() ? "" : rules.getFirst());
        Matcher dnat = DNAT.matcher(rules.isEmpty() ? "" : rules.getLast());
        return rules.size() == 2 && update.matches() && update.group(1).equals(name) && dnat.matches()
                ? Set.of(spaced(dnat.group(1)), "for " + seconds(update.group(2)) + " s the one of before")
                : Set.of("endpoint-" + name + " is " + rules);
    }

    private static String spaced(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return endpoint.substring(0, colon).replace("[", "").replace("]", "") + " " + endpoint.substring(colon + 1);
    }

    private static String seconds(String time) {
        return time.matches("\\d+h")
                ? Integer.toString(3600 * Integer.parseInt(time.substring(0, time.length() - 1)))
                : time;
    }
}
