package io.dualstackd.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks {@code featureGates}, as Kubernetes 1.36 defines them for a proxy. Stable features are always on here, so only {@code
 * AllowServiceExternalIPs} changes anything; but a gate with an impossible value is reported. kube-proxy shares one list with all
 * components, and clusters pass the same gates to all of them, so a gate that does not concern a proxy is a warning.
 */
final class FeatureGates {
    private static final String EXTERNAL_IPS = "AllowServiceExternalIPs";

    private enum Stage {
        /** On, and cannot be switched off. */
        LOCKED,
        /** May be switched; here it changes nothing, except for external IPs. */
        FREE
    }

    private static final Map<String, Stage> KNOWN = Map.ofEntries(
            Map.entry("AllAlpha", Stage.FREE),
            Map.entry("AllBeta", Stage.FREE),
            Map.entry(EXTERNAL_IPS, Stage.FREE),
            Map.entry("ComponentFlagz", Stage.FREE),
            Map.entry("ComponentStatusz", Stage.FREE),
            Map.entry("ContextualLogging", Stage.FREE),
            Map.entry("InformerResourceVersion", Stage.FREE),
            Map.entry("LoggingAlphaOptions", Stage.FREE),
            Map.entry("LoggingBetaOptions", Stage.FREE),
            Map.entry("MultiCIDRServiceAllocator", Stage.LOCKED),
            Map.entry("NFTablesProxyMode", Stage.LOCKED),
            Map.entry("PreferSameTrafficDistribution", Stage.LOCKED),
            Map.entry("ServiceTrafficDistribution", Stage.LOCKED),
            Map.entry("TopologyAwareHints", Stage.LOCKED),
            Map.entry("WatchListClient", Stage.FREE),
            Map.entry("WinDSR", Stage.FREE),
            Map.entry("WinOverlay", Stage.FREE));

    private FeatureGates() {}

    /** One gate as it was given; with an empty state when there is none. */
    private record Gate(String name, String state) {
        boolean isOff() {
            return GoText.truth(state).equals(Optional.of(false));
        }

        static Gate of(String word) {
            int sign = word.indexOf('=');
            return sign < 0
                    ? new Gate(word, "")
                    : new Gate(
                            word.substring(0, sign).strip(),
                            word.substring(sign + 1).strip());
        }
    }

    /** Whether Services are served on their external IPs. Of a gate that is given twice the last one counts. */
    static boolean allowExternalIps(ConfigValues configValues) {
        return configValues.words(Key.FEATURE_GATES).stream()
                .map(Gate::of)
                .filter(gate -> gate.name.equals(EXTERNAL_IPS))
                .reduce((earlier, later) -> later)
                .filter(Gate::isOff)
                .isEmpty();
    }

    static void check(ConfigValues configValues) {
        Map<String, String> strange = new TreeMap<>();
        List<String> others = new ArrayList<>();
        for (String word : configValues.words(Key.FEATURE_GATES)) {
            Gate gate = Gate.of(word);
            String name = gate.name;
            if (GoText.truth(gate.state).isEmpty()) {
                strange.put(name, "must be true or false, not \"" + gate.state + "\"");
            } else if (KNOWN.get(name) == Stage.LOCKED && gate.isOff()) {
                strange.put(name, "cannot be switched off, it is locked to true");
            } else if (!name.matches("[A-Z][A-Za-z0-9]*")) {
                strange.put(name, "is not a feature gate");
            } else if (!KNOWN.containsKey(name)) {
                others.add(name);
            }
        }
        strange.forEach((name, rule) -> configValues.refuse(Key.FEATURE_GATES, name + " " + rule));
        if (!others.isEmpty()) {
            configValues.warn(
                    Key.FEATURE_GATES,
                    String.join(", ", others)
                            + (others.size() == 1 ? " is no feature gate" : " are no feature gates")
                            + " of a proxy in Kubernetes 1.36, ignored");
        }
    }
}
