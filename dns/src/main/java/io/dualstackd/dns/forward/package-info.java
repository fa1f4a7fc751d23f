/**
 * What a forwarder knows: which resolvers there are and which of them answer, what they said before, and who asks how much.
 *
 * <p>In: the text of a {@code resolv.conf}, answers, and the time as a number of nanoseconds. Out: whom to ask, and answers again. Must not touch:
 * sockets, clocks, threads; asking is {@code dns.io}. Everything here belongs to one thread.
 *
 * <p>The one surprising thing: a resolver that does not answer is not left out, only asked last for a while.
 */
@NullMarked
package io.dualstackd.dns.forward;

import org.jspecify.annotations.NullMarked;
