/**
 * The figures that are read from the system.
 *
 * <p>In: {@code /proc}. Out: {@link io.dualstackd.pages.metrics.ProcessFigures}. Must not touch: anything that costs more than reading a
 * small file; a scrape waits for it.
 *
 * <p>The one surprising thing: the management beans of the virtual machine are not used. Loading them would cost megabytes for what
 * {@link Runtime} provides, too.
 */
@NullMarked
package io.dualstackd.pages.metrics.io;

import org.jspecify.annotations.NullMarked;
