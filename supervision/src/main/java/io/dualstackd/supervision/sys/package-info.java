/**
 * The clocks, threads and waits of the process, behind an interface; and the clock for durations and deadlines.
 *
 * <p>In: {@link java.lang.System#nanoTime}. Out: instants, threads, semaphores. Must not touch: what runs on the threads.
 *
 * <p>The one surprising thing: the instants of {@link io.dualstackd.supervision.sys.SteadyClock} are for comparison only. Times shown to people come from the system's clock.
 */
@NullMarked
package io.dualstackd.supervision.sys;

import org.jspecify.annotations.NullMarked;
