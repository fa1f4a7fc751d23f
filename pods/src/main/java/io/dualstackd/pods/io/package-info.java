/**
 * Following this node's pods: {@link io.dualstackd.pods.io.PodWatcher}, which asks a
 * {@link io.dualstackd.pods.io.PodRuntime}.
 *
 * <p>In: lists of a container runtime, its events, exits of sandboxes' processes told by the kernel. Out: one immutable
 * {@link io.dualstackd.pods.Pods} and a call when it is another one. Must not touch: Services.
 *
 * <p>The one surprising thing: nothing but a list that the runtime gave whole, or the end of a sandbox's own process, changes what is
 * known. Events only say when to list again, and a runtime that does not answer takes no pod away.
 */
@NullMarked
package io.dualstackd.pods.io;

import org.jspecify.annotations.NullMarked;
