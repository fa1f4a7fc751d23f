package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.nodeaddr.BadNodeIpsException;
import io.dualstackd.pages.health.Listening;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The given values, read by type; a value of the wrong type is a problem, and its default is returned. */
final class ConfigValues {
    private final Map<Key, ConfigValue> given;
    private final List<Problem> problems;

    ConfigValues(Map<Key, ConfigValue> given, List<Problem> problems) {
        this.given = given;
        this.problems = problems;
    }

    String text(Key key) {
        ConfigValue value = given.get(key);
        return value == null ? key.fallback() : value.text().strip();
    }

    Optional<String> nonEmpty(Key key) {
        return Optional.of(text(key)).filter(t -> !t.isEmpty());
    }

    boolean bool(Key key) {
        Optional<Boolean> truth = truth(text(key));
        if (truth.isEmpty()) {
            refuse(key, "must be true or false");
        }
        return truth.orElseGet(() -> Boolean.parseBoolean(key.fallback()));
    }

    /** The truth value of a text. As in kube-proxy's flags, {@code 1}, {@code t}, {@code 0} and {@code f} are accepted, too. */
    static Optional<Boolean> truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t", "1" -> Optional.of(true);
            case "false", "f", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    int number(Key key, int min, int max) {
        String text = text(key);
        if (text.matches("[+-]?\\d{1,18}")) {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return (int) number;
            }
        }
        refuse(
                key,
                max == Integer.MAX_VALUE
                        ? "must be a whole number of " + min + " or more"
                        : "must be " + min + " to " + max);
        return Integer.parseInt(key.fallback());
    }

    /** A number with or without a fraction. */
    double fraction(Key key) {
        String text = text(key);
        if (text.matches("-?\\d{1,9}(\\.\\d{1,9})?")) {
            return Double.parseDouble(text);
        }
        refuse(key, "must be a number");
        return Double.parseDouble(key.fallback());
    }

    Duration duration(Key key) {
        Optional<Duration> duration = Durations.parse(text(key));
        if (duration.isEmpty()) {
            refuse(key, "must be a duration like 30s, 1m30s or 250ms");
        }
        return duration.orElseGet(() -> Durations.parse(key.fallback()).orElse(Duration.ZERO));
    }

    /** Checks a duration; in a file also a whole number, which counts nanoseconds as everywhere in Go. */
    void check(Key key) {
        if (byFlag(key) || !text(key).matches("\\d{1,18}")) {
            duration(key);
        }
    }

    /** A duration of more than zero. */
    Duration period(Key key) {
        Duration period = duration(key);
        if (period.isZero()) {
            refuse(key, "must be more than zero");
        }
        return period;
    }

    /** A duration of at most the period {@code of}. */
    Duration pause(Key key, Key of) {
        Duration pause = duration(key);
        Optional<Duration> period = Durations.parse(text(of)).filter(Duration::isPositive);
        if (period.isPresent() && pause.compareTo(period.get()) > 0) {
            refuse(key, "must not be more than " + of.path() + ", " + text(of));
        }
        return pause;
    }

    /** The constant whose text is the value; the first one when it is none of them. */
    <E extends Enum<E>> E choice(Key key, Class<E> type) {
        E[] all = type.getEnumConstants();
        String text = nonEmpty(key).orElse(key.fallback());
        for (E constant : all) {
            if (constant.toString().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        String words = Arrays.stream(all).map(e -> e.toString()).collect(Collectors.joining(", "));
        refuse(key, "must be " + (all.length == 1 ? "" : "one of ") + words);
        return all[0];
    }

    List<String> words(Key key) {
        return Arrays.stream(text(key).split(",", -1))
                .map(String::strip)
                .filter(w -> !w.isEmpty())
                .toList();
    }

    List<IpPrefix> prefixes(Key key) {
        return parsed(key, IpPrefix::parse);
    }

    /** The same without reporting wrong ones, for comparisons. */
    List<IpPrefix> prefixesOrNone(Key key) {
        try {
            return words(key).stream().map(IpPrefix::parse).toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** The result of {@code parse} for a text; empty when it refuses. */
    <T> Optional<T> parsed(Key key, String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            refuse(key, Objects.toString(e.getMessage(), "cannot be read"));
            return Optional.empty();
        }
    }

    /** The whole value parsed as one, including commas; empty when it is empty or wrong. */
    <T> Optional<T> parsedWhole(Key key, Function<String, T> parser) {
        try {
            return nonEmpty(key).map(parser);
        } catch (BadNodeIpsException e) {
            refuse(key, e.rule());
            return Optional.empty();
        }
    }

    /** One or more addresses; empty means the default. */
    List<Ip> ips(Key key) {
        List<Ip> ips = parsed(key, Ip::parse);
        return ips.isEmpty() ? List.of(Ip.parse(key.fallback())) : ips;
    }

    /**
     * An address to listen on; none when the flag is empty. In the file empty means the default, as in kube-proxy: generated configurations
     * are full of such entries.
     *
     * @param usual the default
     */
    Optional<Listening> listening(Key key, String usual, int usualPort) {
        ConfigValue value = given.get(key);
        boolean unsaid = value == null || (value.text().isBlank() && value.place() instanceof Place.InFile);
        Optional<String> text = unsaid ? Optional.of(usual) : nonEmpty(key);
        try {
            return text.map(address -> Listening.parse(address, usualPort));
        } catch (IllegalArgumentException e) {
            refuse(key, "must be an address and a port: " + e.getMessage());
            return Optional.empty();
        }
    }

    private <T> List<T> parsed(Key key, Function<String, T> parser) {
        List<T> values = new ArrayList<>();
        for (String word : words(key)) {
            try {
                values.add(parser.apply(word));
            } catch (IllegalArgumentException e) {
                refuse(key, Objects.toString(e.getMessage(), "must be an address"));
            }
        }
        return values;
    }

    /** Whether a value was given. */
    boolean isGiven(Key key) {
        ConfigValue value = given.get(key);
        return value != null && !value.text().isBlank();
    }

    /** Whether a value was given that differs from the default. */
    boolean isNotable(Key key) {
        String text = text(key);
        return isGiven(key)
                && !text.equals(key.fallback())
                && !text.equals("false")
                && !isZero(text)
                && !Durations.parse(text)
                        .equals(Durations.parse(key.fallback()).or(() -> Optional.of(Duration.ofNanos(1))));
    }

    private static boolean isZero(String text) {
        return Durations.parse(text).filter(Duration::isZero).isPresent();
    }

    /** Whether the value was given on the command line. */
    boolean byFlag(Key key) {
        ConfigValue value = given.get(key);
        return value != null && value.place() instanceof Place.Flag;
    }

    void refuse(Key key, String rule) {
        ConfigValue value = given.get(key);
        Problem problem = value == null
                ? Problem.error(new Place.Flag(key.flag()), "", rule)
                : Problem.error(value.place(), value.text(), rule);
        // A value that several settings are made from is read several times.
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** For values that were given. */
    void warn(Key key, String rule) {
        ConfigValue value = given.get(key);
        if (value != null) {
            problems.add(Problem.warning(value.place(), value.text(), rule));
        }
    }
}
