/**
 * What the rules cost the first packet of a connection: real connections from a client through a node to a pod, each a machine of its
 * own made of network namespaces.
 *
 * <p>In: a mode, a number of Services, how many different numbers of endpoints they have. Out: percentiles of connect and of question
 * and answer. Must not touch: the host's rules, links and addresses.
 *
 * <p>The one surprising thing: only the first packet of a connection meets the rules; all others follow what the kernel remembers of
 * it. So every measurement is a new connection.
 */
@NullMarked
package io.dualstackd.bench.latency;

import org.jspecify.annotations.NullMarked;
