/**
 * Applied ⊖ desired: the shortest transaction that turns what the kernel holds into what is wanted.
 *
 * <p>In: the applied state ({@link io.dualstackd.dataplane.diff.AppliedFragment} per Service and for the frame, a content fingerprint
 * per chain) and desired images. Out: {@link io.dualstackd.dataplane.diff.Op}s in the order the kernel must see them, one by one, and
 * the applied state once they are in force. Must not touch: sockets, netlink bytes, threads.
 *
 * <p>The one surprising thing: a chain that belongs to one Service is compared and rewritten as a whole, so its rules need no handle;
 * rules in shared and built-in chains are placed one by one, and each is remembered with the handle the kernel gave it.
 */
@NullMarked
package io.dualstackd.dataplane.diff;

import org.jspecify.annotations.NullMarked;
