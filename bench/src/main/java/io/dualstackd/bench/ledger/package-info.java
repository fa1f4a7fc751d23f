/**
 * Measures the ledger of Services for nodes without a control plane, with its journal on the disk of the temporary folder.
 *
 * <p>In: a number of Services. Out: how long it takes to allocate their addresses, to write them, to read them again. Must not touch: the
 * kernel's rules; no root is needed.
 *
 * <p>The one surprising thing: the disk is the machine's own, and forcing one small write to it is most of the cost of one Service.
 */
@NullMarked
package io.dualstackd.bench.ledger;

import org.jspecify.annotations.NullMarked;
