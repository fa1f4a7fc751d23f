package io.dualstackd.netlink.netns;

import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs programs inside one network namespace. */
public record NetNsCommands(NetNs ns) {
    /** Behind the rule's handle may stand that of the rule before it. */
    private static final Pattern RULE = Pattern.compile("(\\w+ \\S+ \\S+ \\d+)( \\d+)?");

    /**
     * Runs a program and returns what it prints.
     *
     * @throws IOException with its output when it fails
     */
    public String run(String... command) throws Exception {
        return feed("", command);
    }

    /** Runs a program that reads {@code input}. */
    public String feed(String input, String... command) throws Exception {
        String self =
                "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
        List<String> inside = new ArrayList<>(List.of("nsenter", "--net=" + self));
        inside.addAll(List.of(command));
        Process process = new ProcessBuilder(inside).redirectErrorStream(true).start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    /** {@code nft list ruleset}, without its warnings about tables of iptables. */
    public String ruleset() throws Exception {
        return withoutNotes(run("nft", "list", "ruleset"));
    }

    /** {@code iptables-save} or {@code ip6tables-save} without its comments, which hold the date. */
    public String saved(String command) throws Exception {
        return withoutNotes(run(command));
    }

    /** The expressions of each rule in bracket form, by {@code family table chain handle}. */
    public Map<String, List<String>> expressions() throws Exception {
        Map<String, List<String>> rules = new LinkedHashMap<>();
        // Warnings go to the other stream, and may land in the middle of a line.
        String output = run("sh", "-c", "nft --debug=netlink list ruleset 2>/dev/null");
        List<String> rule = new ArrayList<>();
        for (String line : output.lines().toList()) {
            Matcher header = RULE.matcher(line);
            if (header.matches()) {
                rule = new ArrayList<>();
                rules.put(header.group(1), rule);
            } else if (line.startsWith("  [ ")) {
                rule.add(line.strip());
            }
        }
        return rules;
    }

    private static String withoutNotes(String text) {
        StringBuilder kept = new StringBuilder();
        text.lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> kept.append(line).append('\n'));
        return kept.toString();
    }
}
