/**
 * The server: sockets that clients ask, and sockets that ask other resolvers.
 *
 * <p>In: settings, {@link io.dualstackd.dns.ZoneChange}s from any thread. Out: answers over UDP and TCP, figures. Everything happens on one thread,
 * {@code dns}, which owns all channels and beats for {@link io.dualstackd.dns.io.DnsSupervision}. Must not touch: files, names (what is answered is
 * decided in {@code dns}), other threads of the process.
 *
 * <p>The one surprising thing: Netty's codec for DNS takes no part in reading and writing, see {@code docs/dns.md}.
 */
@NullMarked
package io.dualstackd.dns.io;

import org.jspecify.annotations.NullMarked;
