/**
 * The clock that durations and deadlines are measured by.
 *
 * <p>In: {@link java.lang.System#nanoTime}. Out: instants. Must not touch: anything else.
 *
 * <p>The one surprising thing: these instants are for comparison only. What people read comes from the system's clock.
 */
@NullMarked
package io.dualstackd.supervision.sys;

import org.jspecify.annotations.NullMarked;
