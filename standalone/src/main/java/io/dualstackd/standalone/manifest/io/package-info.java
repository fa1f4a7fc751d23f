/**
 * Where objects come from and where they wait: {@link io.dualstackd.standalone.manifest.io.ManifestFolder} reads and watches a folder,
 * {@link io.dualstackd.kubeapi.store.io.Store} holds the current state for the lines that program the kernel.
 *
 * <p>In: files, whenever they change. Out: nudges ("something changed") and, when a consumer asks, what changed since it asked last.
 * Must not touch: views, plans, the kernel.
 *
 * <p>The one surprising thing: nothing is handed out before the first complete read, because a consumer that saw half of the objects
 * would remove the rules of the other half.
 */
@NullMarked
package io.dualstackd.standalone.manifest.io;

import org.jspecify.annotations.NullMarked;
