package io.dualstackd.pages.health;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration in force, as shown over HTTP.
 *
 * @param configz a JSON object {@code {"kubeproxy.config.k8s.io": {...}}} with the versioned form
 * @param flags values of flags by name, without dashes; those that were not given have their defaults
 */
public record ShownConfig(String configz, SortedMap<String, String> flags) {
    public ShownConfig {
        flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
    }
}
