/**
 * The state of a forwarder: resolvers and which of them answer, cached answers, and how many queries each client has under way.
 *
 * <p>In: the text of a {@code resolv.conf}, answers, and the time as a number of nanoseconds. Out: the resolver to query, and cached
 * answers. Must not touch: sockets, clocks, threads; the queries are sent by {@code dns.io}. Everything here is used by one thread.
 *
 * <p>The one surprising thing: a resolver that does not answer is not left out, only queried last for a while.
 */
@NullMarked
package io.dualstackd.dns.forward;

import org.jspecify.annotations.NullMarked;
