/**
 * The Services in force on a node without a control plane, and the numbers they hold: what an API server would have in its database, and
 * what its allocators and repair controllers do.
 *
 * <p>In: Services as written, ServiceCIDRs and IPAddresses, from files; the ledger as it was left on disk. Out: Services with addresses and
 * node ports, entries for the disk, events, and why something is refused. Must not touch: files and clocks (that is {@code .io}), rules of
 * single fields ({@code standalone.serviceapi}), the arithmetic of free numbers ({@code standalone.allocation}).
 *
 * <p>The one surprising thing: a refused request is not forgotten. It is still in its file, so it is tried again when an address is
 * released or a ServiceCIDR is added.
 */
@NullMarked
package io.dualstackd.standalone.ledger;

import org.jspecify.annotations.NullMarked;
