package io.dualstackd.agent.cluster.wire;

import java.nio.charset.StandardCharsets;

/** The labels and annotations that mean something to us. */
enum Mark {
    PROXY_NAME("service.kubernetes.io/service-proxy-name", false),
    SERVICE("kubernetes.io/service-name", false),
    HEADLESS("service.kubernetes.io/headless", false),
    ZONE("topology.kubernetes.io/zone", false),
    TRIGGER_TIME("endpoints.kubernetes.io/last-change-trigger-time", true),
    INITIAL_EVENTS_END("k8s.io/initial-events-end", true);

    /** All, not copied each time. */
    private static final Mark[] ALL = values();

    private final String key;
    private final byte[] bytes;
    private final boolean annotation;

    Mark(String key, boolean annotation) {
        this.key = key;
        this.bytes = key.getBytes(StandardCharsets.US_ASCII);
        this.annotation = annotation;
    }

    String key() {
        return key;
    }

    boolean annotation() {
        return annotation;
    }

    /** The position of the one with this key; -1 when it is none of ours. */
    static int find(byte[] in, int at, int length, boolean annotation) {
        for (int i = 0; i < ALL.length; i++) {
            Mark mark = ALL[i];
            if (mark.annotation == annotation && mark.bytes.length == length && mark.isAt(in, at)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isAt(byte[] in, int at) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (in[at + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
