/**
 * The Services of a node without a control plane as they are in force, and the numbers they hold: what an API server would have in its
 * database, and what its allocators and repair loops do.
 *
 * <p>In: Services as written, ServiceCIDRs and IPAddresses, as files say them; the ledger as it was left on disk. Out: Services with
 * addresses and node ports, entries for the disk, events, and why something is refused. Must not touch: files and clocks (that is
 * {@code .io}), rules of single fields ({@code agent.serviceapi}), the arithmetic of free numbers ({@code agent.allocation}).
 *
 * <p>The one surprising thing: a wish that was refused is not forgotten. The file still says it, so it is tried again when an address
 * comes free or a ServiceCIDR comes.
 */
@NullMarked
package io.dualstackd.standalone.ledger;

import org.jspecify.annotations.NullMarked;
