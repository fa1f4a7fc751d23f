/**
 * What figures need from the world.
 *
 * <p>In: {@code /proc}. Out: {@link io.dualstackd.agent.metrics.ProcessFigures}. Must not touch: anything that costs more than reading
 * a small file; a scrape waits for it.
 *
 * <p>The one surprising thing: the virtual machine is not asked through its management beans. Loading them would cost megabytes to
 * learn what {@link Runtime} says, too.
 */
@NullMarked
package io.dualstackd.agent.metrics.io;

import org.jspecify.annotations.NullMarked;
