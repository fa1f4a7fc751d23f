/**
 * The state of a forwarder: resolvers and which of them answer, remembered answers, and how many questions each client has under way.
 *
 * <p>In: the text of a {@code resolv.conf}, answers, and the time as a number of nanoseconds. Out: the resolver to ask, and remembered answers. Must not touch:
 * sockets, clocks, threads; asking is {@code dns.io}. Everything here belongs to one thread.
 *
 * <p>The one surprising thing: a resolver that does not answer is not left out, only asked last for a while.
 */
@NullMarked
package io.dualstackd.dns.forward;

import org.jspecify.annotations.NullMarked;
