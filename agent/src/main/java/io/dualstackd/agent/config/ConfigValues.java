package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.nodeaddr.BadNodeIpsException;
import io.dualstackd.pages.health.Listening;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The given values, read by type; a value of the wrong type is a problem, and its default is returned. */
final class ConfigValues {
    private final Map<Key, ConfigValue> given;
    private final List<Problem> problems;
    /** Keys whose values are not in use, and where they are not. */
    private final Map<Key, String> idle = new EnumMap<>(Key.class);

    ConfigValues(Map<Key, ConfigValue> given, List<Problem> problems) {
        this.given = given;
        this.problems = problems;
    }

    /**
     * Says that the values of these keys are not in use: what is wrong with one is a warning from now on, as kube-proxy does not look at it.
     *
     * @param where they are not in use: {@code in mode iptables}
     */
    void idle(Set<Key> keys, String where) {
        keys.forEach(key -> idle.put(key, where));
    }

    String text(Key key) {
        ConfigValue value = given.get(key);
        return value == null ? key.fallback() : value.text().strip();
    }

    Optional<String> nonEmpty(Key key) {
        return Optional.of(text(key)).filter(t -> !t.isEmpty());
    }

    boolean bool(Key key) {
        Optional<Boolean> truth = GoText.truth(text(key));
        if (truth.isEmpty()) {
            refuse(key, "must be true or false");
        }
        return truth.orElseGet(() -> Boolean.parseBoolean(key.fallback()));
    }

    int number(Key key, int min, int max) {
        Optional<Long> number = GoText.whole(text(key)).filter(n -> n >= min && n <= max);
        if (number.isPresent()) {
            return number.get().intValue();
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
        Optional<BigDecimal> number = GoText.fraction(text(key));
        if (number.isEmpty()) {
            refuse(key, "must be a number");
        }
        return number.orElseGet(() -> new BigDecimal(key.fallback())).doubleValue();
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
            return words(key).stream().map(IpPrefix::parseLenient).toList();
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
            return text.map(where -> address(key, where, address -> Listening.parse(address, usualPort)));
        } catch (IllegalArgumentException e) {
            refuse(key, "must be an address and a port: " + e.getMessage());
            return Optional.empty();
        }
    }

    private <T> List<T> parsed(Key key, Function<String, T> parser) {
        List<T> values = new ArrayList<>();
        for (String word : words(key)) {
            try {
                values.add(address(key, word, parser));
            } catch (IllegalArgumentException e) {
                refuse(key, Objects.toString(e.getMessage(), "must be an address"));
            }
        }
        return values;
    }

    /** Reads an address or network strictly, or without leading zeros where kube-proxy does not mind them. */
    private <T> T address(Key key, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException strict) {
            String plain = GoText.withoutLeadingZeros(text);
            if (key.isOwnFlag() || plain.equals(text)) {
                throw strict;
            }
            T value = parser.apply(plain);
            warn(key, "leading zeros are ignored, read as " + plain + "; write it so");
            return value;
        }
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
                && !(key.isSwitch() && GoText.truth(text).equals(Optional.of(false)))
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
        if (value == null) {
            add(Problem.error(new Place.Flag(key.flag()), "", rule));
        } else if (idle.containsKey(key)) {
            warn(key, "is not in use " + idle.get(key) + ", and would be refused where it is: " + rule);
        } else {
            add(Problem.error(value.place(), value.text(), rule));
        }
    }

    /** For values that were given. */
    void warn(Key key, String rule) {
        ConfigValue value = given.get(key);
        if (value != null) {
            add(Problem.warning(value.place(), value.text(), rule));
        }
    }

    /** Whether something is to be said about a value that was given. */
    boolean hasProblem(Key key) {
        ConfigValue value = given.get(key);
        return value != null
                && problems.stream().anyMatch(problem -> problem.place().equals(value.place()));
    }

    /** A value that several settings are made from is read several times. */
    private void add(Problem problem) {
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }
}
