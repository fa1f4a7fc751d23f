package io.dualstackd.kubeapi.wire.raw;

/** The labels and annotations that mean something to us. */
public enum WellKnownLabel {
    PROXY_NAME(0, "service.kubernetes.io/service-proxy-name", false),
    SERVICE(1, "kubernetes.io/service-name", false),
    HEADLESS(2, "service.kubernetes.io/headless", false),
    ZONE(3, "topology.kubernetes.io/zone", false),
    TRIGGER_TIME(4, "endpoints.kubernetes.io/last-change-trigger-time", true),
    INITIAL_EVENTS_END(5, "k8s.io/initial-events-end", true);

    /** All, not copied each time. */
    private static final WellKnownLabel[] ALL = values();

    /** How many there are. */
    static final int COUNT = ALL.length;

    private final int slot;
    private final String key;
    private final boolean annotation;

    WellKnownLabel(int slot, String key, boolean annotation) {
        this.slot = slot;
        this.key = key;
        this.annotation = annotation;
    }

    /** Its place in an array of {@link #COUNT} values. */
    int slot() {
        return slot;
    }

    String key() {
        return key;
    }

    boolean annotation() {
        return annotation;
    }

    /** The slot of the one with this key; -1 when it is none of ours. */
    static int find(byte[] in, int at, int length, boolean annotation) {
        for (WellKnownLabel wellKnownLabel : ALL) {
            if (wellKnownLabel.annotation == annotation
                    && wellKnownLabel.key.length() == length
                    && wellKnownLabel.isAt(in, at)) {
                return wellKnownLabel.slot;
            }
        }
        return -1;
    }

    private boolean isAt(byte[] in, int at) {
        // The beginnings are alike.
        for (int i = key.length() - 1; i >= 0; i--) {
            if (in[at + i] != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
