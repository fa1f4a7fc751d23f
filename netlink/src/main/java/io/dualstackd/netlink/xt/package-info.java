/**
 * The C structures of xtables matches and targets ({@code linux/netfilter/xt_*.h}), which both the nf_tables compat expressions and the
 * legacy iptables blobs contain.
 *
 * <p>In: values, or a structure's bytes with the name and revision of its extension. Out: bytes, or values of the sealed
 * {@link io.dualstackd.netlink.xt.XtMatch} and {@link io.dualstackd.netlink.xt.XtTarget}. Sizes and alignment are known in
 * {@link io.dualstackd.netlink.xt.XtStruct} only. Must not touch: sockets, nf_tables.
 *
 * <p>The one surprising thing: a structure that its record cannot represent completely is not decoded in part; it becomes {@link
 * io.dualstackd.netlink.xt.XtMatch.Other} or {@link io.dualstackd.netlink.xt.XtTarget.Other} with its bytes. The bytes beyond {@link
 * io.dualstackd.netlink.xt.XtStruct#userSize} are private to the kernel.
 */
@NullMarked
package io.dualstackd.netlink.xt;

import org.jspecify.annotations.NullMarked;
