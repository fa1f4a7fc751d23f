/**
 * Pods of this node, derived from the container runtime's sandboxes: which sandbox counts, which addresses the pod has, and in which order they
 * are shown ({@link io.dualstackd.pods.PodIps}, {@link
 * io.dualstackd.pods.PodCidrs}).
 *
 * <p>In: records of {@link io.dualstackd.pods.cri}, the node's own addresses. Out: values. Must not touch: the runtime, clocks,
 * threads.
 *
 * <p>The one surprising thing: a pod has the addresses of its newest sandbox or none. An older sandbox that still runs does not count.
 */
@NullMarked
package io.dualstackd.pods;

import org.jspecify.annotations.NullMarked;
