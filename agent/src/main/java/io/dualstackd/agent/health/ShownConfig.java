package io.dualstackd.agent.health;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration in force, for those who ask over HTTP.
 *
 * @param configz a JSON object {@code {"kubeproxy.config.k8s.io": {...}}} with the versioned form
 * @param flags values of flags by name, without dashes; those that were not given stand there with their defaults
 */
public record ShownConfig(String configz, SortedMap<String, String> flags) {
    public ShownConfig {
        flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
    }
}
