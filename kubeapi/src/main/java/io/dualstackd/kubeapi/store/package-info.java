/**
 * The objects of the cluster as values: the state of one service name ({@link io.dualstackd.kubeapi.store.ServiceState}), the changes since
 * a consumer last took them ({@link io.dualstackd.kubeapi.store.Changes}), and the holder of a destination that several Services name
 * ({@link io.dualstackd.kubeapi.store.DestinationHolders}). Must not touch: files, threads, clocks.
 */
@NullMarked
package io.dualstackd.kubeapi.store;

import org.jspecify.annotations.NullMarked;
