/**
 * Everything of the daemon that runs on its own, in one table.
 *
 * <p>In: nothing. Out: {@link io.dualstackd.supervision.Component}, the table; {@link io.dualstackd.supervision.Heartbeat}, how a
 * component shows that it lives; {@link io.dualstackd.supervision.ComponentState}, how each one is. Must not touch: threads, clocks.
 *
 * <p>The one surprising thing: a thread that is not in the table fails a test.
 */
@NullMarked
package io.dualstackd.supervision;

import org.jspecify.annotations.NullMarked;
