/**
 * Generic netlink: the protocol under which parts of the kernel register by name, and the controller that knows their numbers
 * ({@code linux/genetlink.h}).
 *
 * <p>In: messages of the controller. Out: {@link io.dualstackd.netlink.generic.GenericFamily}. Must not touch: sockets; who asks the
 * kernel is {@link io.dualstackd.netlink.io.GenericClient}.
 *
 * <p>The one surprising thing: a family's number is another one after each boot, so it must be asked for; asking has the kernel load
 * the module that registers the name.
 */
@NullMarked
package io.dualstackd.netlink.generic;

import org.jspecify.annotations.NullMarked;
