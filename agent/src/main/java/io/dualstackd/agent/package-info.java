/**
 * The entry point and the commands of the daemon on the host: which parts there are, how they are wired up, in which order they start and
 * stop.
 *
 * <p>In: a checked configuration. Out: a running {@link io.dualstackd.agent.app.Daemon}. Must not touch: Services; no decision about them
 * is made here.
 *
 * <p>The one surprising thing: closing the daemon leaves the rules in the kernel. Traffic goes on without it.
 */
@NullMarked
package io.dualstackd.agent;

import org.jspecify.annotations.NullMarked;
