package io.dualstackd.pods.cri;

/**
 * Which container of its pod it is.
 *
 * @param name as in the pod's spec
 * @param attempt how often it was started again
 */
public record ContainerMetadata(String name, long attempt) {}
