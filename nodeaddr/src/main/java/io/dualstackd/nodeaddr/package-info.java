/**
 * Determines a node's addresses and their order: KEP-1664 ({@code --node-ips}) as functions from values to values.
 *
 * <p>In: the settings of the administrator, the addresses available from interfaces, routes, names or a cloud provider. Out: the ordered
 * address list of the Node, with a reason for each. Must not touch: sockets, files, clocks, name resolution; following the kernel is {@code
 * nodeaddr.io}.
 *
 * <p>The one surprising thing: an order that cannot be reached is not an error when only keywords request it.
 */
@NullMarked
package io.dualstackd.nodeaddr;

import org.jspecify.annotations.NullMarked;
