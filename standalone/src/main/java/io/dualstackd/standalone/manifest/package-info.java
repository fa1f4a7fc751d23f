/**
 * The contents of the sources of objects (a folder, an API server), as values: {@link io.dualstackd.standalone.manifest.ManifestIndex},
 * {@link io.dualstackd.kubeapi.store.Update}, {@link io.dualstackd.kubeapi.store.ServiceState},
 * {@link io.dualstackd.kubeapi.store.Changes}.
 *
 * <p>In: decoded objects with the places they come from. Out: which object is in force under which name, and what changed since a consumer
 * last asked. Must not touch: files, threads, clocks.
 *
 * <p>The one surprising thing: two files may claim the same name. The first claim wins, and when its file is removed the claim of the other
 * file takes effect.
 */
@NullMarked
package io.dualstackd.standalone.manifest;

import org.jspecify.annotations.NullMarked;
