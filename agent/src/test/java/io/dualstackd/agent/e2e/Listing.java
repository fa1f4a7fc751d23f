package io.dualstackd.agent.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code iptables-save} prints, sorted by the owners of the lines. Rules of one chain stay in order, except in chains that many
 * Services share, where order among Services means nothing.
 *
 * @param services lines by {@code namespace/name}; each line begins with its table
 * @param frame lines that belong to no Service, except built-in chains
 */
record Listing(Map<String, List<String>> services, List<String> frame) {
    private static final Pattern OWNER = Pattern.compile("--comment \"[^\"]*?([a-z0-9-]+/[a-z0-9-]+):");
    private static final Set<String> SHARED =
            Set.of("KUBE-SERVICES", "KUBE-NODEPORTS", "KUBE-EXTERNAL-SERVICES", "KUBE-PROXY-FIREWALL");

    static Listing parse(String saved) {
        Map<String, List<String>> chains = new TreeMap<>();
        String table = "";
        for (String line : saved.lines().toList()) {
            if (line.startsWith("*")) {
                table = line.substring(1) + " ";
            } else if (line.startsWith(":")) {
                chains.put(table + line.substring(1, line.indexOf(' ')), new ArrayList<>());
            } else if (line.startsWith("-A ")) {
                String chain = table + line.split(" ", 3)[1];
                chains.computeIfAbsent(chain, c -> new ArrayList<>()).add(line);
            }
        }
        Map<String, List<String>> services = new TreeMap<>();
        List<String> frame = new ArrayList<>();
        chains.forEach((chain, rules) -> {
            if (SHARED.contains(chain.substring(chain.indexOf(' ') + 1))) {
                frame.add(chain + " is there");
                rules.stream()
                        .sorted()
                        .forEach(rule ->
                                lines(owner(List.of(rule)), services, frame).add(chain + " " + rule));
            } else {
                List<String> its = lines(owner(rules), services, frame);
                its.add(chain + " is there");
                rules.forEach(rule -> its.add(chain + " " + rule));
            }
            if (chain.equals("nat KUBE-SERVICES")
                    && !rules.isEmpty()
                    && !rules.getLast().endsWith("-j KUBE-NODEPORTS")) {
                frame.add("the last rule of KUBE-SERVICES is " + rules.getLast());
            }
        });
        // Whether the tables of iptables exist at all is no business of a comparison.
        frame.removeIf(line -> line.matches("\\w+ (PREROUTING|INPUT|FORWARD|OUTPUT|POSTROUTING) is there"));
        return new Listing(services, frame);
    }

    private static List<String> lines(Optional<String> owner, Map<String, List<String>> services, List<String> frame) {
        return owner.map(service -> services.computeIfAbsent(service, s -> new ArrayList<>()))
                .orElse(frame);
    }

    /** The Service that a comment names. */
    private static Optional<String> owner(List<String> rules) {
        for (String rule : rules) {
            Matcher named = OWNER.matcher(rule);
            if (named.find()) {
                return Optional.of(Objects.requireNonNull(named.group(1)));
            }
        }
        return Optional.empty();
    }

    boolean isEmpty() {
        return services.isEmpty() && frame.isEmpty();
    }
}
