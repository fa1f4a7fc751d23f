/**
 * The tables of iptables legacy: {@code ipt_entry} and {@code ip6t_entry} blobs, as {@code getsockopt} gives a whole table and
 * {@code setsockopt} takes one ({@code linux/netfilter_ipv4/ip_tables.h}, {@code linux/netfilter_ipv6/ip6_tables.h},
 * {@code linux/netfilter/x_tables.h}).
 *
 * <p>In: a {@link io.dualstackd.netlink.xt.table.TableBlob}, or rules made with {@link io.dualstackd.netlink.xt.table.EntryDraft}.
 * Out: an {@link io.dualstackd.netlink.xt.table.XtTable} of chains by name, or the blob for it. Must not touch: sockets, the meaning
 * of a chain.
 *
 * <p>The one surprising thing: the kernel knows no chains, only one array of entries in which a jump is an offset. A chain is what
 * stands behind an entry that raises an error in its name; only the built-in chains are told apart, by the offsets of hooks. So a
 * rule is kept as its bytes, whoever made it and whatever is in it, and nothing of it is changed but the offset of its jump.
 */
@NullMarked
package io.dualstackd.netlink.xt.table;

import org.jspecify.annotations.NullMarked;
