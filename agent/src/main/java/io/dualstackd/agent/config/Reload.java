package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.pods.PodCidrs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The result of reading the configuration again while the daemon runs. */
public sealed interface Reload {
    /** It equals the configuration in force. */
    record Same() implements Reload {}

    /**
     * It can be used.
     *
     * @param next the configuration in force from now on: the new one, except for keys that need a restart
     * @param applied the keys that change with it
     * @param restart the keys that differ in the new text and need a restart
     */
    record Changed(ConfigResult.Usable next, List<Key> applied, List<Key> restart) implements Reload {
        public Changed {
            applied = List.copyOf(applied);
            restart = List.copyOf(restart);
        }
    }

    /** It is invalid, and nothing changes. */
    record Refused(List<Problem> problems) implements Reload {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** Compares the configuration in force with the one just read. */
    static Reload of(ConfigResult.Usable inForce, ConfigResult read) {
        return switch (read) {
            case ConfigResult.Refused(List<Problem> problems) -> new Refused(problems);
            case ConfigResult.Usable usable -> of(inForce, usable);
        };
    }

    private static Reload of(ConfigResult.Usable inForce, ConfigResult.Usable read) {
        List<Key> changed = Stream.of(Key.values())
                .filter(key -> !value(inForce, key).equals(value(read, key)))
                .toList();
        if (changed.isEmpty()) {
            return new Same();
        }
        Reload reload = mixed(inForce, read, changed, Key::isLive);
        // Pods have addresses of the networks that are made from this one, and keep them while they run.
        return reload instanceof Changed next
                        && changed.contains(Key.CLUSTER_CIDR)
                        && !podCidrs(next.next()).equals(podCidrs(inForce))
                ? mixed(inForce, read, changed, key -> key.isLive() && key != Key.CLUSTER_CIDR)
                : reload;
    }

    private static PodCidrs podCidrs(ConfigResult.Usable config) {
        return config.config().pods().cidrs();
    }

    /** The new values of the keys that are live, and the old ones of all others. */
    private static Reload mixed(
            ConfigResult.Usable inForce, ConfigResult.Usable read, List<Key> changed, Predicate<Key> live) {
        Map<Key, ConfigValue> next = new EnumMap<>(Key.class);
        next.putAll(read.given());
        List<Key> restart = changed.stream().filter(live.negate()).toList();
        for (Key key : restart) {
            Optional.ofNullable(inForce.given().get(key))
                    .ifPresentOrElse(old -> next.put(key, old), () -> next.remove(key));
        }
        List<Problem> problems = new ArrayList<>();
        return switch (ConfigReader.read(next, problems)) {
            case ConfigResult.Refused(List<Problem> mixed) -> new Refused(mixed);
            case ConfigResult.Usable usable ->
                new Changed(
                        new ConfigResult.Usable(usable.config(), usable.given(), read.warnings()),
                        changed.stream().filter(live).toList(),
                        restart);
        };
    }

    private static String value(ConfigResult.Usable config, Key key) {
        ConfigValue configValue = config.given().get(key);
        return configValue == null || configValue.text().isBlank()
                ? key.fallback()
                : configValue.text().strip();
    }
}
