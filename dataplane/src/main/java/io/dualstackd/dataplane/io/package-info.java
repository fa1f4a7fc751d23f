/**
 * The effects of the data plane: reading dualstackd's rules from the kernel, applying transactions, and the reconciler that owns the
 * applied state.
 *
 * <p>In: which Services changed, their {@link io.dualstackd.dataplane.model.ServiceView}s on demand, and the
 * {@link io.dualstackd.dataplane.model.NodeView}. Out: one transaction per sync, several for a first load ({@link
 * io.dualstackd.dataplane.io.TableLoad}), and a {@link io.dualstackd.dataplane.diff.SyncResult}. Must not touch: what the rules should
 * be; it creates no thread and keeps no clock. One syncer serves one family and is used by one thread.
 *
 * <p>The one surprising thing: a refused transaction is never repaired in place. The applied state is dropped, the kernel is read, and
 * the full comparison finds what is missing.
 */
@NullMarked
package io.dualstackd.dataplane.io;

import org.jspecify.annotations.NullMarked;
