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

/** What one table of mode nftables does with destinations of Services, read from what {@code nft list table} prints. */
final class NftablesReading {
    private static final Pattern BLOCK = Pattern.compile("\t(set|map|chain) (\\S+) \\{");
    private static final String KEY = "(?:(\\S+) \\. )?(tcp|udp|sctp) \\. (\\d+)";
    private static final Pattern DESTINATION =
            Pattern.compile(KEY + "(?: counter(?: packets \\d+ bytes \\d+)?)?(?: comment .*)?");
    private static final Pattern SOURCE = Pattern.compile(KEY + " \\. (\\S+)(?: comment .*)?");
    private static final Pattern ENDPOINT = Pattern.compile(KEY + " \\. (\\d+) : (\\S+) \\. (\\d+)(?: comment .*)?");
    private static final Pattern VERDICT = Pattern.compile(KEY + "(?: comment \"[^\"]*\")? : goto (\\S+)");

    private final boolean ipv6;
    private final NftablesPool ips = new NftablesPool("service-ips", "pick-endpoints");
    private final NftablesPool localIps = new NftablesPool("local-service-ips", "pick-local-endpoints");
    private final NftablesPool nodePorts = new NftablesPool("node-ports", "pick-node-port-endpoints");
    private final NftablesPool localNodePorts = new NftablesPool("local-node-ports", "pick-local-node-port-endpoints");
    private final List<NftablesPool> pools = List.of(ips, localIps, nodePorts, localNodePorts);
    private final Map<String, NftablesPool> maps = Map.of(
            "endpoints", ips,
            "sticky-service-ips", ips,
            "local-endpoints", localIps,
            "sticky-local-service-ips", localIps,
            "node-port-endpoints", nodePorts,
            "sticky-node-ports", nodePorts,
            "local-node-port-endpoints", localNodePorts,
            "sticky-local-node-ports", localNodePorts);

    /** By name, those without endpoints behind their names only. */
    private final Map<String, Set<Destination>> sets = new TreeMap<>();

    private final Map<Destination, Set<String>> sources = new TreeMap<>();
    private final Map<String, List<String>> chains = new LinkedHashMap<>();

    private NftablesReading(boolean ipv6) {
        this.ipv6 = ipv6;
    }

    static Map<Destination, Set<String>> of(String listed, Destination frame) {
        NftablesReading reading = new NftablesReading(frame.equals(Destination.FRAME6));
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
                lines = new ArrayList<>();
            } else {
                lines.add(line.strip());
            }
        }
        return reading.result(frame);
    }

    private void add(String kind, String name, List<String> lines) {
        NftablesPool pool = maps.get(name);
        if (kind.equals("chain")) {
            chains.put(name, lines);
        } else if (pool != null && name.startsWith("sticky-")) {
            elements(lines, VERDICT, found -> pool.sticky(destination(found), found.group(4)));
        } else if (pool != null) {
            elements(
                    lines,
                    ENDPOINT,
                    found -> pool.slot(
                            destination(found),
                            Integer.parseInt(found.group(4)),
                            found.group(5) + " " + found.group(6)));
        } else if (name.equals("allowed-sources")) {
            elements(
                    lines,
                    SOURCE,
                    found -> sources.computeIfAbsent(destination(found), d -> new TreeSet<>())
                            .add("for " + found.group(4)));
        } else {
            for (NftablesPool each : pools) {
                if (each.counts(name)) {
                    elements(lines, DESTINATION, found -> each.count(destination(found), name));
                    return;
                }
            }
            Set<Destination> set = new TreeSet<>();
            elements(lines, DESTINATION, found -> set.add(destination(found)));
            sets.put(name, set);
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

    private Destination destination(Matcher found) {
        String ip = found.group(1) == null ? (ipv6 ? "::" : "0.0.0.0") : found.group(1);
        return new Destination(ip, found.group(2), Integer.parseInt(found.group(3)));
    }

    private boolean in(String set, Destination destination) {
        return sets.getOrDefault(set, Set.of()).contains(destination);
    }

    private Map<Destination, Set<String>> result(Destination frame) {
        Set<String> shared = sharedRules();
        Map<Destination, Set<String>> result = new TreeMap<>();
        served(ips, localIps, "service-ips", "local-external-ips", "ips", result);
        served(nodePorts, localNodePorts, "node-ports", "local-node-ports", "node-ports", result);
        for (Destination each : sets.getOrDefault("restricted-ips", Set.of())) {
            result.computeIfPresent(
                    each,
                    (destination, reached) -> reached.equals(Set.of("refused"))
                            ? reached
                            : both(reached, sources.getOrDefault(each, Set.of("for none"))));
        }
        result.put(frame, shared);
        return result;
    }

    /** @param local the set of those that serve clients outside with endpoints of this node only */
    private void served(
            NftablesPool pool,
            NftablesPool localPool,
            String served,
            String local,
            String unserved,
            Map<Destination, Set<String>> result) {
        sets.getOrDefault("reject-" + unserved, Set.of()).forEach(each -> result.put(each, Set.of("refused")));
        sets.getOrDefault("drop-" + unserved, Set.of()).stream()
                .filter(each -> !in(local, each))
                .forEach(each -> result.merge(each, Set.of("dropped"), NftablesReading::both));
        for (Destination each : sets.getOrDefault(served, Set.of())) {
            result.merge(each, pool.reached(each, chains), NftablesReading::both);
            if (in(local, each)) {
                boolean dropped = in("drop-" + unserved, each);
                Set<String> reached = dropped ? Set.of("dropped") : localPool.reached(each, chains);
                boolean more = dropped && localPool.all().contains(each);
                result.put(each.outside(), more ? both(reached, localPool.reached(each, chains)) : reached);
            }
        }
        pool.all().stream()
                .filter(each -> !in(served, each))
                .forEach(each -> result.merge(each, Set.of("endpoints that nothing leads to"), NftablesReading::both));
        localPool.all().stream()
                .filter(each -> !in(local, each))
                .forEach(each ->
                        result.merge(each.outside(), Set.of("endpoints that nothing leads to"), NftablesReading::both));
    }

    private static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    /** Rules that are the same however many Services there are; those that draw are remembered by their pools. */
    private Set<String> sharedRules() {
        Set<String> shared = new TreeSet<>();
        new TreeMap<>(chains).forEach((name, rules) -> {
            int number = 0;
            for (String rule : rules) {
                boolean leads = pools.stream().anyMatch(pool -> pool.leads(name, rule, chains));
                if (!leads && !name.contains("/") && !name.matches("[\\w-]+-\\d+")) {
                    shared.add(name + " " + number++ + " " + rule);
                }
            }
        });
        return shared;
    }
}
