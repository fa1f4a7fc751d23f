/**
 * The reports to the API server and their format: events, the addresses of the own Node, the addresses of its pods.
 *
 * <p>In: events, the Node object and the pods as stored, the actual addresses; the time. Out: bodies of requests, or nothing when
 * everything is reported. Must not touch: the network, clocks.
 *
 * <p>The one surprising thing: fields that another component (kubelet, a cloud provider) writes, too, are written only a limited number of
 * times; then the conflict is logged, and they are left alone.
 */
@NullMarked
package io.dualstackd.node.report;

import org.jspecify.annotations.NullMarked;
