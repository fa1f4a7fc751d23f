/**
 * The supervision of the components in {@code agent.component}.
 *
 * <p>In: components, as they start. Out: their threads, their states, and the end of the process when one of them cannot continue. Must not
 * touch: the work of the components.
 *
 * <p>The one surprising thing: a heartbeat holds no time. The supervisor checks once a second which heartbeats have changed, so that a
 * process that was stopped as a whole (SIGSTOP, a paused virtual machine) finds nothing overdue when it continues.
 */
@NullMarked
package io.dualstackd.supervision.io;

import org.jspecify.annotations.NullMarked;
