/**
 * What happens to a packet on this node, and whether the kernel agrees: {@link io.dualstackd.explain.Explanation}.
 *
 * <p>In: plans, and what was read from the kernel ({@code explain.io}). Out: values to be printed. Must not touch: the
 * kernel.
 *
 * <p>The one surprising thing: the two modes are verified differently. In nftables mode the packet is walked through what the kernel
 * holds, element by element; in iptables mode the rules that decide are compared with the kernel's, and the packet is walked through
 * the compiled ones.
 */
@NullMarked
package io.dualstackd.explain;

import org.jspecify.annotations.NullMarked;
