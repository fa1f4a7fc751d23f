/**
 * What somebody else did to rules of ours, judged from the news of nf_tables.
 *
 * <p>In: messages as they lie in the receive buffer, and {@link io.dualstackd.netlink.nft.NftChange}. Out: {@link
 * io.dualstackd.dataplane.watch.ChangedObject}. Must not touch: sockets, threads; the decision how to repair.
 *
 * <p>The one surprising thing: nearly everything is judged by the name of its table and chain, where it lies. Only rules in chains
 * that others use, too, have to be read.
 */
@NullMarked
package io.dualstackd.dataplane.watch;

import org.jspecify.annotations.NullMarked;
