/**
 * {@link io.dualstackd.kubeapi.store.io.Store}: the current objects, and for each consumer the changes it has not taken yet, like
 * client-go's informers with their store.
 */
@NullMarked
package io.dualstackd.kubeapi.store.io;

import org.jspecify.annotations.NullMarked;
