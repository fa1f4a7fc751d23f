/**
 * The supervision of what is in the table of {@code agent.component}.
 *
 * <p>In: components, as they start. Out: their threads, how each one is, and the end of the process when one of them cannot go on. Must not
 * touch: what components do.
 *
 * <p>The one surprising thing: a heartbeat holds no time. The supervisor looks once a second which heartbeats have changed, so that a process
 * that was stopped as a whole (SIGSTOP, a paused virtual machine) finds nothing overdue when it goes on.
 */
@NullMarked
package io.dualstackd.supervision.io;

import org.jspecify.annotations.NullMarked;
