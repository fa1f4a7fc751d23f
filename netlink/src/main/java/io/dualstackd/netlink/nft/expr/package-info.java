/**
 * The expressions of nf_tables rules ({@code linux/netfilter/nf_tables.h}), one record each.
 *
 * <p>In: the attributes of {@code NFTA_EXPR}. Out: values of the sealed {@link io.dualstackd.netlink.nft.expr.NftExpr}, or
 * attributes written from them. Attributes are written in the order in which the kernel's dump has them, and every expression
 * prints itself in the bracket form of {@code nft --debug=netlink}. Must not touch: sockets, clocks, the meaning of xtables
 * structures (package {@code xt}).
 *
 * <p>The one surprising thing: an expression with content that its record cannot hold (an attribute or a key of a newer kernel) is not
 * decoded in part; it becomes {@link io.dualstackd.netlink.nft.expr.OtherExpr} and survives a round trip unchanged.
 */
@NullMarked
package io.dualstackd.netlink.nft.expr;

import org.jspecify.annotations.NullMarked;
