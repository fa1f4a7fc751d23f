/**
 * Applies the state of this node's pods to the endpoints of Services: {@link io.dualstackd.pods.endpoint.SelectorEndpoints} generates those
 * of Services with a selector, {@link io.dualstackd.pods.endpoint.DeadEndpointFilter} hides those that are known to be dead.
 *
 * <p>In: Services, pods, and the content of the store. Out: EndpointSlices, and services as they are to be shown. Must not touch: clocks,
 * threads, locks; the store calls everything under its own.
 *
 * <p>The one surprising thing: a dead endpoint that comes from a source is not removed but hidden, until the source changes it or the
 * runtime reports that it lives.
 */
@NullMarked
package io.dualstackd.pods.endpoint;

import org.jspecify.annotations.NullMarked;
