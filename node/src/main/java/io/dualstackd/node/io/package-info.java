/**
 * The node's own addresses, tracked: those of the kernel, of DNS and of the Node object combined.
 *
 * <p>In: address notifications of the kernel. Out: the list of addresses per family, and a wakeup when it changed. Must not touch:
 * which address is chosen as the node's; services.
 *
 * <p>The one surprising thing: the content of a notification is not used. The list is always a fresh dump, so a lost notification only
 * causes a delay.
 */
@NullMarked
package io.dualstackd.node.io;

import org.jspecify.annotations.NullMarked;
