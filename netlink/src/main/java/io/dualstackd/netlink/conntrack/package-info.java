/**
 * The connections tracked by the kernel ({@code linux/netfilter/nfnetlink_conntrack.h}): entries, and the requests to list, to add and to
 * delete them.
 *
 * <p>In: values, or messages of the kernel. Out: message bodies, or values. Must not touch: sockets; the meaning of any address or
 * port.
 *
 * <p>The one surprising thing: a list can be filtered in the kernel, but a kernel before 5.8 ignores the filter and lists everything. The
 * caller must check each entry again.
 */
@NullMarked
package io.dualstackd.netlink.conntrack;

import org.jspecify.annotations.NullMarked;
