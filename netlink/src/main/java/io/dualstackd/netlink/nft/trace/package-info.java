/**
 * What the kernel reports of packets whose way through the chains is traced ({@code meta nftrace}):
 * {@link io.dualstackd.netlink.nft.trace.TraceMessage}.
 *
 * <p>In: messages of the multicast group {@code NFNLGRP_NFTRACE}. Out: values. Must not touch: sockets.
 *
 * <p>The one surprising thing: the number that is to tell packets apart is not constant. The kernel computes it from the packet's headers and
 * the interface it came in through, so it changes when the packet is translated, and when it comes back through {@code lo}.
 */
@NullMarked
package io.dualstackd.netlink.nft.trace;

import org.jspecify.annotations.NullMarked;
