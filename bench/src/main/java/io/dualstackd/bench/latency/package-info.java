/**
 * Measures what the rules cost the first packet of a connection: real connections from a client through a node to a pod, each a machine of
 * its own made of network namespaces.
 *
 * <p>In: a mode, a number of Services, how many different numbers of endpoints they have. Out: percentiles of connect times and of request
 * and answer times. Must not touch: the host's rules, links and addresses.
 *
 * <p>The one surprising thing: only the first packet of a connection passes the rules; all others use the kernel's conntrack entry. So
 * every measurement is a new connection.
 */
@NullMarked
package io.dualstackd.bench.latency;

import org.jspecify.annotations.NullMarked;
