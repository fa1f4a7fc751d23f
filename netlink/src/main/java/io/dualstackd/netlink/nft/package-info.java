/**
 * The objects of nf_tables ({@code linux/netfilter/nf_tables.h}): tables, chains, rules, sets with their elements, and the batch
 * that changes them in one atomic transaction.
 *
 * <p>In: values, or messages of the kernel. Out: messages of one {@link io.dualstackd.netlink.nft.NftBatch}, or values. The expressions of
 * rules are in the package {@code expr}. Must not touch: sockets, the meaning of any table or chain name.
 *
 * <p>The one surprising thing: rules have no name. A rule is identified by the handle that the kernel assigns or, in the transaction that
 * creates it, by an id of the batch; and the kernel never returns a rule's {@link io.dualstackd.netlink.nft.RuleCompat}.
 */
@NullMarked
package io.dualstackd.netlink.nft;

import org.jspecify.annotations.NullMarked;
