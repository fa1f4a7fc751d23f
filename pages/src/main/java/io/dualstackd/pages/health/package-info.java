/**
 * The daemon's health over HTTP: the health-check node ports of Services, {@code /healthz}, {@code /livez}, {@code /proxyMode}.
 *
 * <p>In: health checks of plans, times of changes and syncs, the node's object, bytes of a request. Out: where to listen, and
 * {@link io.dualstackd.pages.health.HttpAnswer}s. Must not touch: sockets, clocks; that is {@code pages.health.io}.
 *
 * <p>The one surprising thing: a listener on the wildcard address accepts connections of both families, because that is the only wildcard
 * socket Java makes next to one of the other family; which connections are answered is decided for each of them.
 */
@NullMarked
package io.dualstackd.pages.health;

import org.jspecify.annotations.NullMarked;
