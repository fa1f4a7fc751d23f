/**
 * The clock for durations and deadlines.
 *
 * <p>In: {@link java.lang.System#nanoTime}. Out: instants. Must not touch: anything else.
 *
 * <p>The one surprising thing: these instants are for comparison only. Times shown to people come from the system's clock.
 */
@NullMarked
package io.dualstackd.supervision.sys;

import org.jspecify.annotations.NullMarked;
