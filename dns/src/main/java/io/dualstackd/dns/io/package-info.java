/**
 * The DNS server: sockets for clients, and sockets for queries to other resolvers.
 *
 * <p>In: settings, {@link io.dualstackd.dns.ZoneChange}s from any thread. Out: answers over UDP and TCP, figures. Everything happens on one
 * thread, {@code dns}, which owns all channels and calls {@link io.dualstackd.dns.io.DnsSupervision} regularly. Must not touch: files,
 * names (what is answered is decided in {@code dns}), other threads of the process.
 *
 * <p>The one surprising thing: Netty's DNS codec is not used for reading and writing, see {@code docs/dns.md}.
 */
@NullMarked
package io.dualstackd.dns.io;

import org.jspecify.annotations.NullMarked;
