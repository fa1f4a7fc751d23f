/**
 * Generic netlink: the protocol under which kernel subsystems register by name, and the controller that returns their ids ({@code
 * linux/genetlink.h}).
 *
 * <p>In: messages of the controller. Out: {@link io.dualstackd.netlink.generic.GenericFamily}. Must not touch: sockets; the client is
 * {@link io.dualstackd.netlink.io.GenericClient}.
 *
 * <p>The one surprising thing: a family's id differs after each boot, so it must be requested; the request makes the kernel load the module
 * that registers the name.
 */
@NullMarked
package io.dualstackd.netlink.generic;

import org.jspecify.annotations.NullMarked;
