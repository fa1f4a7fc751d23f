package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A configuration, or the reasons why there is none. */
public sealed interface ConfigResult {
    /**
     * Usable.
     *
     * @param given the values that were given, and where; everything else has its default
     */
    record Usable(AgentConfig config, Map<Key, ConfigValue> given, List<Problem> warnings) implements ConfigResult {
        public Usable {
            Map<Key, ConfigValue> sorted = new EnumMap<>(Key.class);
            sorted.putAll(given);
            given = Collections.unmodifiableMap(sorted);
            warnings = List.copyOf(warnings);
        }
    }

    /** Not usable: all problems, warnings included. */
    record Refused(List<Problem> problems) implements ConfigResult {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
