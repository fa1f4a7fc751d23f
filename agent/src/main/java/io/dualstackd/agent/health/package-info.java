/**
 * What the daemon answers when it is asked over HTTP how it is: the health-check node ports of Services, {@code /healthz},
 * {@code /livez}, {@code /proxyMode}.
 *
 * <p>In: health checks of plans, times of changes and passes, the node's object, bytes of a request. Out: where to listen, and
 * {@link io.dualstackd.agent.health.HttpAnswer}s. Must not touch: sockets, clocks; that is {@code agent.health.io}.
 *
 * <p>The one surprising thing: a listener on the wildcard address hears both families, because that is the only wildcard socket
 * Java makes beside one of the other family; whom it answers is decided per connection.
 */
@NullMarked
package io.dualstackd.agent.health;

import org.jspecify.annotations.NullMarked;
