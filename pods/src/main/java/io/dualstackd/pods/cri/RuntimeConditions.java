package io.dualstackd.pods.cri;

import java.util.List;

/**
 * The conditions that the runtime reports of itself. A pod can start only when both {@code RuntimeReady} and {@code NetworkReady} hold.
 *
 * @param all in the runtime's order
 */
public record RuntimeConditions(List<Condition> all) {
    private static final String RUNTIME_READY = "RuntimeReady";
    private static final String NETWORK_READY = "NetworkReady";

    /**
     * One condition.
     *
     * @param holds true is the good case
     * @param reason one word why, or empty
     * @param message a sentence why, or empty
     */
    public record Condition(String type, boolean holds, String reason, String message) {}

    public RuntimeConditions {
        all = List.copyOf(all);
    }

    /** The condition that the runtime can run containers; false when the runtime does not report it. */
    public Condition runtime() {
        return condition(RUNTIME_READY);
    }

    /** The condition that the network plugin can assign addresses; false when the runtime does not report it. */
    public Condition network() {
        return condition(NETWORK_READY);
    }

    private Condition condition(String type) {
        return all.stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseGet(() -> new Condition(type, false, "NotReported", "the runtime does not report " + type));
    }
}
