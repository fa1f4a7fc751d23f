/**
 * Applies the steps of a transaction to a table of iptables legacy, in memory: the kernel only accepts whole tables.
 *
 * <p>In: a {@link io.dualstackd.netlink.xt.table.TableBlob} as read, and {@link io.dualstackd.dataplane.diff.Op}s. Out: the table that
 * replaces it, or the steps that cannot be applied. Must not touch: sockets, the lock, what a chain is for.
 *
 * <p>The one surprising thing: here rules have numbers, in the kernel they have none. A rule gets its number when it is first read and
 * keeps it as long as the same rules are read again in the same order.
 */
@NullMarked
package io.dualstackd.dataplane.diff.legacy;

import org.jspecify.annotations.NullMarked;
