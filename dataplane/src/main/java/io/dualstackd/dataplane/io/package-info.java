/**
 * The data plane's effects: reading our rules from the kernel, applying transactions, and the pass that owns the belief.
 *
 * <p>In: which Services changed, their {@link io.dualstackd.dataplane.model.ServiceView}s on demand, and the {@link io.dualstackd.dataplane.model.NodeView}. Out:
 * one transaction per pass, several for a first load ({@link io.dualstackd.dataplane.io.TableLoad}), and a {@link io.dualstackd.dataplane.diff.SyncResult}. Must not touch: what the rules should be; it
 * makes no thread and keeps no clock. One pass object serves one family and is used by one thread.
 *
 * <p>The one surprising thing: a refused transaction is never repaired in place. The belief is dropped, the kernel is read, and
 * the full comparison says what is missing.
 */
@NullMarked
package io.dualstackd.dataplane.io;

import org.jspecify.annotations.NullMarked;
