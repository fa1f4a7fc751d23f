/**
 * What there is to say to the API server, and how: events, the addresses of the own Node, the addresses of its pods.
 *
 * <p>In: what happened, what the Node object and the pods say, what is true here; the time. Out: bodies of requests, or nothing when all is
 * said. Must not touch: the network, clocks.
 *
 * <p>The one surprising thing: what somebody else writes, too (kubelet, a cloud provider), is written only so often; then we say that two
 * are at odds, and leave it.
 */
@NullMarked
package io.dualstackd.node.report;

import org.jspecify.annotations.NullMarked;
