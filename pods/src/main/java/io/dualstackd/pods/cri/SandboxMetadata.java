package io.dualstackd.pods.cri;

/**
 * Identifies the pod a sandbox is for.
 *
 * @param name of the pod
 * @param uid of the pod
 * @param namespace of the pod
 * @param attempt counts from 0 for one pod, at most 2<sup>32</sup>-1; a higher one is newer, whatever the creation times are
 */
public record SandboxMetadata(String name, String uid, String namespace, long attempt) {}
