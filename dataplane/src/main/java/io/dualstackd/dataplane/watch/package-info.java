/**
 * Detects what other programs did to dualstackd's rules, from the notifications of nf_tables.
 *
 * <p>In: messages in the receive buffer, and {@link io.dualstackd.netlink.nft.NftChange}. Out:
 * {@link io.dualstackd.dataplane.watch.ChangedObject}. Must not touch: sockets, threads; the decision how to repair.
 *
 * <p>The one surprising thing: nearly every message is judged by the names of its table and chain, read in place. Only rules in
 * chains that are shared with other programs have to be decoded.
 */
@NullMarked
package io.dualstackd.dataplane.watch;

import org.jspecify.annotations.NullMarked;
