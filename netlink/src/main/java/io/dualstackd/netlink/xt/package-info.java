/**
 * The C structures of xtables matches and targets ({@code linux/netfilter/xt_*.h}), which the nf_tables compat expressions and the
 * legacy iptables blobs both carry.
 *
 * <p>In: values, or a structure's bytes with the name and revision of its extension. Out: bytes, or values of the sealed
 * {@link io.dualstackd.netlink.xt.XtMatch} and {@link io.dualstackd.netlink.xt.XtTarget}. Sizes and alignment are known in
 * {@link io.dualstackd.netlink.xt.XtStruct} only. Must not touch: sockets, nf_tables.
 *
 * <p>The one surprising thing: a structure that says more than its record can hold is not half-read; it becomes
 * {@link io.dualstackd.netlink.xt.XtOtherMatch} or {@link io.dualstackd.netlink.xt.XtOtherTarget} with its bytes. And beyond
 * {@link io.dualstackd.netlink.xt.XtStruct#userSize} the bytes belong to the kernel and mean nothing to anybody else.
 */
@NullMarked
package io.dualstackd.netlink.xt;

import org.jspecify.annotations.NullMarked;
