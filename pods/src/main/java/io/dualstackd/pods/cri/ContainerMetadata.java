package io.dualstackd.pods.cri;

/**
 * Identifies a container within its pod.
 *
 * @param name as in the pod's spec
 * @param attempt how often it was restarted
 */
public record ContainerMetadata(String name, long attempt) {}
