package io.dualstackd.agent.config;

import java.util.EnumSet;
import java.util.Set;

/** Checks settings that kube-proxy checks although they have no effect here, and warns of those that were set. */
final class CompatibleReader {
    /** kube-proxy accepts the minor version before its own, and nothing else. */
    private static final String PREVIOUS_MINOR = "1.35";

    private static final Set<Key> WITHOUT_EFFECT = EnumSet.of(
            Key.VMODULE,
            Key.LOG_FLUSH,
            Key.LOG_JSON_BUFFER,
            Key.LOG_JSON_SPLIT,
            Key.LOG_TEXT_BUFFER,
            Key.LOG_TEXT_SPLIT,
            Key.CONFIG_SYNC_PERIOD,
            Key.PROFILING,
            Key.SHOW_HIDDEN_METRICS,
            Key.BOOT_ID_FILE,
            Key.MACHINE_ID_FILE);

    private CompatibleReader() {}

    static void check(ConfigValues configValues) {
        configValues.check(Key.LOG_FLUSH);
        configValues.bool(Key.LOG_JSON_SPLIT);
        configValues.bool(Key.LOG_TEXT_SPLIT);
        configValues.bool(Key.PROFILING);
        configValues.period(Key.CONFIG_SYNC_PERIOD);
        configValues
                .nonEmpty(Key.SHOW_HIDDEN_METRICS)
                .filter(version -> !version.equals(PREVIOUS_MINOR))
                .ifPresent(version -> configValues.refuse(
                        Key.SHOW_HIDDEN_METRICS, "must be empty or the previous minor version, " + PREVIOUS_MINOR));
        FeatureGates.check(configValues);
        WITHOUT_EFFECT.stream()
                .filter(configValues::isNotable)
                .forEach(key -> configValues.warn(key, "has no effect here"));
    }
}
