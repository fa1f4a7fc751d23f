/**
 * A snapshot of the API server's Services and slices, which one process leaves to the next: the objects of each resource with their versions,
 * as of the version from which a watch continues.
 *
 * <p>In: objects. Out: bytes, and back. Must not touch: files, threads, clocks; the file is {@code kubeapi.snapshot.io}.
 */
@NullMarked
package io.dualstackd.kubeapi.snapshot;

import org.jspecify.annotations.NullMarked;
