package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.Service;

/** The labels and annotations that are used. */
public enum WellKnownLabel {
    PROXY_NAME(0, Service.PROXY_NAME_LABEL, false),
    SERVICE(1, "kubernetes.io/service-name", false),
    HEADLESS(2, "service.kubernetes.io/headless", false),
    ZONE(3, "topology.kubernetes.io/zone", false),
    TRIGGER_TIME(4, "endpoints.kubernetes.io/last-change-trigger-time", true),
    INITIAL_EVENTS_END(5, "k8s.io/initial-events-end", true);

    /** All constants, not copied on each use. */
    private static final WellKnownLabel[] ALL = values();

    /** The number of these labels. */
    static final int COUNT = ALL.length;

    private final int slot;
    private final String key;
    private final boolean annotation;

    WellKnownLabel(int slot, String key, boolean annotation) {
        this.slot = slot;
        this.key = key;
        this.annotation = annotation;
    }

    /** Its index in an array of {@link #COUNT} values. */
    int slot() {
        return slot;
    }

    String key() {
        return key;
    }

    boolean annotation() {
        return annotation;
    }

    /** The slot of the constant with this key; -1 when there is none. */
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
        // Compared from the end: the prefixes are equal.
        for (int i = key.length() - 1; i >= 0; i--) {
            if (in[at + i] != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
