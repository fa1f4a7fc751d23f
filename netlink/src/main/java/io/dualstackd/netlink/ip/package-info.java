/**
 * Internet addresses as values: {@link io.dualstackd.netlink.ip.Ip}, {@link io.dualstackd.netlink.ip.IpPrefix},
 * {@link io.dualstackd.netlink.ip.IpFamily}, {@link io.dualstackd.netlink.ip.Proto}, {@link io.dualstackd.netlink.ip.IpPort}.
 *
 * <p>In: text as administrators and Kubernetes write it, bytes as the kernel sends them. Out: immutable, comparable values with one
 * canonical text (RFC 5952 for IPv6). Must not touch: resolvers, sockets, {@link java.net.InetAddress}.
 *
 * <p>The one surprising thing: there are two parsers. {@link io.dualstackd.netlink.ip.Ip#parse} is strict;
 * {@link io.dualstackd.netlink.ip.Ip#parseLenient} reads leading zeros of IPv4 octets as decimal, because objects stored by
 * old API servers contain them.
 */
@NullMarked
package io.dualstackd.netlink.ip;

import org.jspecify.annotations.NullMarked;
