/**
 * Which addresses are this node's, and in which order: KEP-1664 ({@code --node-ips}) as functions from values to values.
 *
 * <p>In: what the administrator wants, what interfaces, routes, names or a cloud provider offer. Out: the ordered address list of
 * the Node, with a reason for each. Must not touch: sockets, files, clocks, names of services; following the kernel is
 * {@code nodeaddr.io}.
 *
 * <p>The one surprising thing: an order that cannot be reached is no error when only keywords asked for it.
 */
@NullMarked
package io.dualstackd.nodeaddr;

import org.jspecify.annotations.NullMarked;
