package io.dualstackd.pods.endpoint;

import io.dualstackd.pods.Pod;

/** The pod an endpoint refers to: {@code targetRef}. */
public record PodRef(String namespace, String name, String uid) {
    static PodRef of(Pod pod) {
        return new PodRef(pod.namespace(), pod.name(), pod.uid());
    }
}
