/**
 * Reads objects: {@link io.dualstackd.standalone.manifest.io.ManifestFolder} reads and watches a folder,
 * {@link io.dualstackd.kubeapi.store.io.Store} holds the current state for the reconcilers.
 *
 * <p>In: files, whenever they change. Out: wakeups ("something changed") and, when a consumer asks, the changes since its last request.
 * Must not touch: views, plans, the kernel.
 *
 * <p>The one surprising thing: no objects are passed on before the first complete read, because a consumer with half of the objects would
 * remove the rules of the other half.
 */
@NullMarked
package io.dualstackd.standalone.manifest.io;

import org.jspecify.annotations.NullMarked;
