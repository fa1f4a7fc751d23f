/**
 * The table of all components that run on their own.
 *
 * <p>In: nothing. Out: {@link io.dualstackd.supervision.Component}, the table; {@link io.dualstackd.supervision.Heartbeat}, the liveness
 * signal of a component; {@link io.dualstackd.supervision.ComponentState}, the state of each one;
 * {@link io.dualstackd.supervision.Listeners}, calls that do not depend on each other. Must not touch: threads, clocks.
 *
 * <p>The one surprising thing: a thread that is not in the table fails a test.
 */
@NullMarked
package io.dualstackd.supervision;

import org.jspecify.annotations.NullMarked;
