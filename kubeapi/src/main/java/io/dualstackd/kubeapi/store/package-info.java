/**
 * The objects of the cluster as values: what is in force under one name ({@link io.dualstackd.kubeapi.store.ServiceState}), what changed since a
 * consumer last looked ({@link io.dualstackd.kubeapi.store.Changes}), and which Service holds a destination that several name
 * ({@link io.dualstackd.kubeapi.store.DestinationHolders}). Must not touch: files, threads, clocks.
 */
@NullMarked
package io.dualstackd.kubeapi.store;

import org.jspecify.annotations.NullMarked;
