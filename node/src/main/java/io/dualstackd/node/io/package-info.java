/**
 * The node's own addresses, followed live: the kernel's, the names' and the Node object's word together.
 *
 * <p>In: address notifications of the kernel. Out: the list of addresses per family, and a nudge when it changed. Must not touch:
 * the choice which address is the node's; services.
 *
 * <p>The one surprising thing: a notification only says "look again". The list is always a fresh dump, so a lost notification
 * costs nothing but time.
 */
@NullMarked
package io.dualstackd.node.io;

import org.jspecify.annotations.NullMarked;
