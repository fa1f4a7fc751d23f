/**
 * Links, addresses and routes as values ({@link io.dualstackd.netlink.route.Link},
 * {@link io.dualstackd.netlink.route.Address}, {@link io.dualstackd.netlink.route.Route}) and their rtnetlink messages.
 *
 * <p>In: messages of {@code linux/rtnetlink.h}, or values to be written as such. Out: values, bytes, and {@link
 * io.dualstackd.netlink.route.RouteChange} for notifications. Must not touch: sockets; the client is {@link
 * io.dualstackd.netlink.io.RouteClient}.
 *
 * <p>The one surprising thing: a value read from the kernel holds every attribute the kernel sent, known or not, and some of those are
 * timers and packet counters. Compare values by the relevant fields, not as a whole.
 */
@NullMarked
package io.dualstackd.netlink.route;

import org.jspecify.annotations.NullMarked;
