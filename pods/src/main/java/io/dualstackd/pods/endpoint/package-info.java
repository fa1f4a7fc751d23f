/**
 * What this node's pods mean for the endpoints of Services: {@link io.dualstackd.pods.endpoint.SelectorEndpoints} finds those of
 * Services with a selector, {@link io.dualstackd.pods.endpoint.DeadEndpointFilter} hides those that are known to be dead.
 *
 * <p>In: Services, pods, and what the store holds. Out: EndpointSlices, and services as they are to be shown. Must not touch: clocks,
 * threads, locks; the store calls everything under its own.
 *
 * <p>The one surprising thing: a dead endpoint that somebody else wrote down is not removed but hidden, until who wrote it says something
 * new about it or the runtime says that it lives.
 */
@NullMarked
package io.dualstackd.pods.endpoint;

import org.jspecify.annotations.NullMarked;
