/**
 * What becomes of a packet on this node, and whether the kernel agrees: {@link io.dualstackd.dataplane.explain.Explanation}.
 *
 * <p>In: plans, and what somebody who looked at the kernel found ({@code dataplane.io}). Out: values for people. Must not touch: the
 * kernel.
 *
 * <p>The one surprising thing: the two modes are witnessed differently. In nftables mode the packet is walked through what the kernel
 * holds, element by element; in iptables mode the rules that decide are compared with the kernel's, and the packet is walked through
 * ours.
 */
@NullMarked
package io.dualstackd.dataplane.explain;

import org.jspecify.annotations.NullMarked;
