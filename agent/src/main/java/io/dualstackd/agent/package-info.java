/**
 * The daemon's wiring: which parts there are, how they are plugged together, in which order they start and stop.
 *
 * <p>In: a checked configuration. Out: a running {@link io.dualstackd.agent.app.Daemon}. Must not touch: Services; there is no decision
 * about any of them in here.
 *
 * <p>The one surprising thing: closing the daemon leaves the rules in the kernel. Traffic goes on without us.
 */
@NullMarked
package io.dualstackd.agent;

import org.jspecify.annotations.NullMarked;
