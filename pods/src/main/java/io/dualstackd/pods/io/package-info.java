/**
 * Follows this node's pods: {@link io.dualstackd.pods.io.PodWatcher}, which reads from a {@link io.dualstackd.pods.io.PodRuntime}.
 *
 * <p>In: lists of a container runtime, its events, exits of sandboxes' processes reported by the kernel. Out: one immutable {@link
 * io.dualstackd.pods.Pods} and a call when it changes. Must not touch: Services.
 *
 * <p>The one surprising thing: only a complete list of the runtime, or the end of a sandbox's own process, changes the known pods. Events
 * only trigger a new list, and a runtime that does not answer removes no pod.
 */
@NullMarked
package io.dualstackd.pods.io;

import org.jspecify.annotations.NullMarked;
