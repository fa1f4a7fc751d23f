package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.rules.iptables.Match.CtState;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints rules exactly as {@code iptables-save} 1.8.9 does; {@code iptables-restore} accepts the output. */
public final class IptablesText {
    private static final String PLAIN = "_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String ESCAPED = "\"\\'";
    private static final int ALL_BITS = -1;

    private IptablesText() {}

    /** Prints all rules: tables by name, chains in the order of listings; without the comment lines, with counters zero. */
    public static String print(Ruleset rules) {
        StringBuilder out = new StringBuilder();
        Stream.of(Table.values())
                .sorted(Comparator.comparing(Table::toString))
                .filter(table -> rules.chains().keySet().stream().anyMatch(chain -> chain.table() == table))
                .forEach(table -> print(table, rules, out));
        return out.toString();
    }

    private static void print(Table table, Ruleset rules, StringBuilder out) {
        List<ChainId> chains = new ArrayList<>();
        out.append('*').append(table).append('\n');
        for (String name : BuiltIn.of(table)) {
            chains.add(new ChainId(table, name));
            out.append(':').append(name).append(" ACCEPT [0:0]\n");
        }
        for (ChainId chain : rules.chains().keySet()) {
            if (chain.table() == table && !BuiltIn.contains(chain)) {
                chains.add(chain);
                out.append(':').append(chain.name()).append(" - [0:0]\n");
            }
        }
        for (ChainId chain : chains) {
            for (Rule rule : rules.rules(chain)) {
                out.append(line(rules.family(), chain.name(), rule)).append('\n');
            }
        }
        out.append("COMMIT\n");
    }

    /** Prints {@code -A CHAIN …}, without line end. */
    public static String line(IpFamily family, String chain, Rule rule) {
        Stream<String> matches = rule.matches().stream().map(match -> text(match, family));
        return Stream.concat(Stream.concat(Stream.of("-A " + chain), matches), Stream.of(text(rule.target(), family)))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String text(Match match, IpFamily family) {
        return switch (match) {
            case Match.Source(IpPrefix prefix, boolean negated) -> network("-s", prefix, negated);
            case Match.Destination(IpPrefix prefix, boolean negated) -> network("-d", prefix, negated);
            case Match.InInterface(String name, boolean prefix, boolean negated) ->
                not(negated) + "-i " + name + (prefix ? "+" : "");
            case Match.Protocol(var proto) -> "-p " + proto;
            case Match.DestinationPort(var proto, int port) -> "-m " + proto + " --dport " + port;
            case Match.AnyPort(var proto) -> "-m " + proto;
            case Match.Comment(String text) -> "-m comment --comment " + quoted(text);
            case Match.SourceIsLocal(boolean negated) -> "-m addrtype " + not(negated) + "--src-type LOCAL";
            case Match.DestinationIsLocal(boolean negated) -> "-m addrtype " + not(negated) + "--dst-type LOCAL";
            case CtState(var states, boolean negated) ->
                "-m conntrack " + not(negated) + "--ctstate "
                        + new TreeSet<>(states).stream().map(Enum::name).collect(Collectors.joining(","));
            case Match.Mark(int value, int mask, boolean negated) ->
                "-m mark " + not(negated) + "--mark " + hex(value) + (mask == ALL_BITS ? "" : "/" + hex(mask));
            case Match.Random(int threshold) ->
                "-m statistic --mode random --probability " + Probability.text(threshold);
            case Match.SeenWithin(String list, int seconds) ->
                "-m recent --rcheck --seconds " + seconds + " --reap" + list(list, family);
            // The tool prints two spaces.
            case Match.CountAt(String object) -> "-m nfacct --nfacct-name  " + object;
            case Match.Remember(String list) -> "-m recent --set" + list(list, family);
        };
    }

    private static String text(Target target, IpFamily family) {
        return switch (target) {
            case Target.None() -> "";
            case Target.Jump(String chain) -> "-j " + chain;
            case Target.Accept() -> "-j ACCEPT";
            case Target.Drop() -> "-j DROP";
            case Target.Return() -> "-j RETURN";
            case Target.Reject() -> "-j REJECT --reject-with " + portUnreachable(family);
            case Target.Dnat(var to) -> "-j DNAT --to-destination " + to;
            case Target.Masquerade(boolean fullyRandom) -> "-j MASQUERADE" + (fullyRandom ? " --random-fully" : "");
            case Target.SetXmark(int value, int mask) -> "-j MARK --set-xmark " + hex(value) + "/" + hex(mask);
        };
    }

    static String portUnreachable(IpFamily family) {
        return switch (family) {
            case IPV4 -> "icmp-port-unreachable";
            case IPV6 -> "icmp6-port-unreachable";
        };
    }

    /** A network that contains every address is no condition, and listings do not show it. */
    private static String network(String option, IpPrefix prefix, boolean negated) {
        return prefix.length() == 0 && !negated ? "" : not(negated) + option + " " + prefix;
    }

    private static String list(String name, IpFamily family) {
        return " --name " + name + " --mask "
                + IpPrefix.host(Ip.unspecified(family)).netmask() + " --rsource";
    }

    private static String not(boolean negated) {
        return negated ? "! " : "";
    }

    private static String hex(int bits) {
        return "0x" + Integer.toHexString(bits).toLowerCase(Locale.ROOT);
    }

    /** iptables quotes a text with anything but letters, digits, {@code _} and {@code -}, and the empty text. */
    private static String quoted(String text) {
        if (!text.isEmpty() && text.chars().allMatch(c -> PLAIN.indexOf(c) >= 0)) {
            return text;
        }
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (ESCAPED.indexOf(c) >= 0) {
                out.append('\\');
            }
            out.appendCodePoint(c);
        });
        return out.append('"').toString();
    }
}
