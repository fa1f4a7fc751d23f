/**
 * The kernel's load balancer ({@code linux/ip_vs.h}): virtual servers and the destinations behind them, as values and as messages of
 * the generic netlink family {@code IPVS}.
 *
 * <p>In: messages, or values to be written as such. Out: values and bytes. Must not touch: sockets; the client is {@link
 * io.dualstackd.netlink.io.IpvsClient}.
 *
 * <p>The one surprising thing: there are no transactions. Each change is made on its own, and only the order of changes protects traffic.
 */
@NullMarked
package io.dualstackd.netlink.ipvs;

import org.jspecify.annotations.NullMarked;
