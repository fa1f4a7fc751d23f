package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.rules.iptables.Match.CtState;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ip.Protos;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses the words of one rule. */
final class RuleReader {
    private final IpFamily family;
    private final List<String> words;
    private final List<Match> matches = new ArrayList<>();
    private int at;

    RuleReader(IpFamily family, List<String> words) {
        this.family = family;
        this.words = words;
    }

    Rule read() {
        Target target = new Target.None();
        while (at < words.size()) {
            boolean negated = accept("!");
            String option = next();
            switch (option) {
                case "-s" -> matches.add(new Match.Source(network(next()), negated));
                case "-d" -> matches.add(new Match.Destination(network(next()), negated));
                case "-i" -> matches.add(inInterface(next(), negated));
                case "-p" -> matches.add(new Match.Protocol(proto(next())));
                case "-m" -> matches.add(module(next()));
                case "-j" -> target = target(next());
                default -> throw unknown(option);
            }
        }
        return new Rule(matches, target);
    }

    private Match module(String name) {
        return switch (name) {
            case "comment" -> new Match.Comment(option("--comment"));
            case "addrtype" -> addressType();
            case "conntrack" -> {
                boolean negated = accept("!");
                yield new CtState(
                        Stream.of(option("--ctstate").split(","))
                                .map(CtState.State::valueOf)
                                .collect(Collectors.toSet()),
                        negated);
            }
            case "mark" -> {
                boolean negated = accept("!");
                int[] bits = bits(option("--mark"));
                yield new Match.Mark(bits[0], bits[1], negated);
            }
            case "statistic" -> {
                expect("--mode", "random");
                yield new Match.Random(Probability.threshold(new BigDecimal(option("--probability"))));
            }
            case "recent" -> recent();
            case "nfacct" -> new Match.CountAt(option("--nfacct-name"));
            case "tcp", "udp", "sctp" ->
                peek().equals("--dport")
                        ? new Match.DestinationPort(proto(name), Integer.parseInt(option("--dport")))
                        : new Match.AnyPort(proto(name));
            default -> throw unknown("-m " + name);
        };
    }

    private Match addressType() {
        boolean negated = accept("!");
        String which = next();
        expect("LOCAL");
        return switch (which) {
            case "--src-type" -> new Match.SourceIsLocal(negated);
            case "--dst-type" -> new Match.DestinationIsLocal(negated);
            default -> throw unknown(which);
        };
    }

    private Match recent() {
        String mode = next();
        return switch (mode) {
            case "--rcheck" -> {
                int seconds = Integer.parseInt(option("--seconds"));
                expect("--reap");
                yield new Match.SeenWithin(list(), seconds);
            }
            case "--set" -> new Match.Remember(list());
            default -> throw unknown(mode);
        };
    }

    private String list() {
        String name = option("--name");
        expect("--mask", IpPrefix.host(Ip.unspecified(family)).netmask().toString(), "--rsource");
        return name;
    }

    private Target target(String name) {
        return switch (name) {
            case "ACCEPT" -> new Target.Accept();
            case "DROP" -> new Target.Drop();
            case "RETURN" -> new Target.Return();
            case "REJECT" -> {
                expect("--reject-with", IptablesText.portUnreachable(family));
                yield new Target.Reject();
            }
            case "DNAT" -> new Target.Dnat(address(option("--to-destination")));
            case "MASQUERADE" -> new Target.Masquerade(accept("--random-fully"));
            case "MARK" -> {
                int[] bits = bits(option("--set-xmark"));
                yield new Target.SetXmark(bits[0], bits[1]);
            }
            default -> new Target.Jump(name);
        };
    }

    private Match inInterface(String name, boolean negated) {
        boolean prefix = name.endsWith("+");
        return new Match.InInterface(prefix ? name.substring(0, name.length() - 1) : name, prefix, negated);
    }

    private static IpPrefix network(String text) {
        return text.contains("/") ? IpPrefix.parse(text) : IpPrefix.host(Ip.parse(text));
    }

    private static IpPort address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(text + " has no port");
        }
        String ip = text.substring(0, colon);
        boolean brackets = ip.startsWith("[") && ip.endsWith("]");
        return new IpPort(
                Ip.parse(brackets ? ip.substring(1, ip.length() - 1) : ip),
                Integer.parseInt(text.substring(colon + 1)));
    }

    private static Proto proto(String name) {
        return Protos.named(name);
    }

    /** {@code VALUE/MASK} in hexadecimal; without a mask all bits count. */
    private static int[] bits(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new int[] {(int) (long) Long.decode(text), -1}
                : new int[] {
                    (int) (long) Long.decode(text.substring(0, slash)),
                    (int) (long) Long.decode(text.substring(slash + 1))
                };
    }

    private String option(String name) {
        expect(name);
        return next();
    }

    private void expect(String... expected) {
        for (String word : expected) {
            String found = next();
            if (!found.equals(word)) {
                throw new IllegalArgumentException("\"" + found + "\" where \"" + word + "\" was expected");
            }
        }
    }

    private boolean accept(String word) {
        boolean there = peek().equals(word);
        at += there ? 1 : 0;
        return there;
    }

    private String peek() {
        return at < words.size() ? words.get(at) : "";
    }

    private String next() {
        if (at == words.size()) {
            throw new IllegalArgumentException("the rule ends too early");
        }
        return words.get(at++);
    }

    private static IllegalArgumentException unknown(String word) {
        return new IllegalArgumentException("\"" + word + "\" is not known here");
    }
}
