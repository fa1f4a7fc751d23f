/**
 * The tables of iptables legacy: {@code ipt_entry} and {@code ip6t_entry} blobs, as {@code getsockopt} returns a whole table and {@code
 * setsockopt} sets one ({@code linux/netfilter_ipv4/ip_tables.h}, {@code linux/netfilter_ipv6/ip6_tables.h}, {@code
 * linux/netfilter/x_tables.h}).
 *
 * <p>In: a {@link io.dualstackd.netlink.xt.table.TableBlob}, or rules made with {@link io.dualstackd.netlink.xt.table.EntryDraft}.
 * Out: an {@link io.dualstackd.netlink.xt.table.XtTable} of chains by name, or the blob for it. Must not touch: sockets, the meaning
 * of a chain.
 *
 * <p>The one surprising thing: the kernel has no chains, only one array of entries in which a jump is an offset. A user-defined chain
 * consists of the entries after an error entry with its name; built-in chains are identified by the offsets of hooks. So a rule is kept as
 * its bytes, whatever its author and content, and nothing of it is changed but the offset of its jump.
 */
@NullMarked
package io.dualstackd.netlink.xt.table;

import org.jspecify.annotations.NullMarked;
