/** {@link io.dualstackd.kubeapi.store.io.Store}: the objects in force, and for each consumer those it has not seen yet; as client-go's informers with their store. */
@NullMarked
package io.dualstackd.kubeapi.store.io;

import org.jspecify.annotations.NullMarked;
