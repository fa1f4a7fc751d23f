package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Parses the output of {@code iptables-save}, as far as it consists of the supported matches and targets. Comment lines and counters
 * are skipped.
 */
public final class IptablesParser {
    private final IpFamily family;
    private final SortedMap<ChainId, List<Rule>> chains = new TreeMap<>();

    private IptablesParser(IpFamily family) {
        this.family = family;
    }

    /**
     * Parses whole tables. Built-in chains without rules are left out, as they are in {@link Ruleset#of}.
     *
     * @throws IllegalArgumentException naming the line and what is unknown in it
     */
    public static Ruleset parse(IpFamily family, String text) {
        IptablesParser parser = new IptablesParser(family);
        parser.parse(text);
        return new Ruleset(family, parser.chains);
    }

    /**
     * Parses one rule, without {@code -A CHAIN}.
     *
     * @throws IllegalArgumentException naming the text and what is unknown in it
     */
    public static Rule rule(IpFamily family, String text) {
        try {
            return new RuleReader(family, words(text)).read();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(text + ": " + e.getMessage(), e);
        }
    }

    private void parse(String text) {
        Table table = Table.FILTER;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            try {
                if (line.startsWith("*")) {
                    table = Table.valueOf(line.substring(1).strip().toUpperCase(Locale.ROOT));
                } else if (line.startsWith(":")) {
                    declare(new ChainId(table, words(line.substring(1)).getFirst()));
                } else if (line.startsWith("-A ")) {
                    append(table, line);
                } else if (!line.isBlank() && !line.startsWith("#") && !line.equals("COMMIT")) {
                    throw new IllegalArgumentException("not a line of iptables-save");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + line + ": " + e.getMessage(), e);
            }
        }
    }

    private void declare(ChainId chain) {
        if (!BuiltIn.contains(chain)) {
            chains.computeIfAbsent(chain, ignored -> new ArrayList<>());
        }
    }

    private void append(Table table, String line) {
        List<String> words = words(line);
        if (words.size() < 2) {
            throw new IllegalArgumentException("no chain");
        }
        chains.computeIfAbsent(new ChainId(table, words.get(1)), ignored -> new ArrayList<>())
                .add(new RuleReader(family, words.subList(2, words.size())).read());
    }

    /** Splits at blanks; double quotes hold a word together, after a backslash in them the next character is taken literally. */
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        boolean quoted = false;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (quoted && c == '\\' && at + 1 < line.length()) {
                at++;
                word.append(line.charAt(at));
            } else if (c == '"') {
                quoted = !quoted;
                inWord = true;
            } else if (c == ' ' && !quoted) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is not closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
