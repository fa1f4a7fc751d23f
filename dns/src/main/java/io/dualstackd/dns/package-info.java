/**
 * Answers DNS questions about Services as the Kubernetes DNS specification 1.1 and CoreDNS do.
 *
 * <p>In: Services with their endpoints ({@link io.dualstackd.dns.ZoneChange}), questions as bytes, answers of other resolvers as bytes.
 * Out: answers as bytes, or that a question is to be forwarded. {@link io.dualstackd.dns.Zone} holds the names, {@link
 * io.dualstackd.dns.message.MessageReader} and {@link io.dualstackd.dns.message.MessageWriter} are the wire format. Must not touch:
 * sockets, clocks, threads, files; they are in {@code dns.io}.
 *
 * <p>The one surprising thing: names are bytes, compared without regard to case. A question's name is returned unchanged, as resolvers
 * require that mix upper and lower case against forgery.
 */
@NullMarked
package io.dualstackd.dns;

import org.jspecify.annotations.NullMarked;
