/**
 * The objects of nf_tables ({@code linux/netfilter/nf_tables.h}): tables, chains, rules, sets with their elements, and the batch
 * that changes them in one atomic transaction.
 *
 * <p>In: values, or messages of the kernel. Out: messages of one {@link io.dualstackd.netlink.nft.NftBatch}, or values. The
 * expressions a rule consists of live in the package {@code expr}. Must not touch: sockets, the meaning of any table or chain name.
 *
 * <p>The one surprising thing: the kernel gives rules no name. A rule is found by the handle the kernel gave it, or, inside the
 * transaction that makes it, by an id of ours; and the kernel never gives back a rule's {@link io.dualstackd.netlink.nft.RuleCompat}.
 */
@NullMarked
package io.dualstackd.netlink.nft;

import org.jspecify.annotations.NullMarked;
