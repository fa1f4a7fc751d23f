/**
 * The ledger of Services where there is no control plane, with its journal on the disk of the temporary folder.
 *
 * <p>In: a number of Services. Out: how long it takes to give them addresses, to write that down, to read it again. Must not touch: the
 * kernel's rules; no root is needed.
 *
 * <p>The one surprising thing: the disk is the machine's, and what it takes to force one small write is most of what one Service costs.
 */
@NullMarked
package io.dualstackd.bench.ledger;

import org.jspecify.annotations.NullMarked;
