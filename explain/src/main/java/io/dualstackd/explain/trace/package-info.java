/**
 * The way of real packets through the chains of this node: {@link io.dualstackd.explain.trace.TracedPacket}.
 *
 * <p>In: the kernel's trace messages, and what was read about the rules they name ({@code explain.io}). Out: values to be printed. Must not
 * touch: the kernel.
 *
 * <p>The one surprising thing: the kernel's number of a packet may change on its way, so the messages of a packet are found by its ports as well.
 */
@NullMarked
package io.dualstackd.explain.trace;

import org.jspecify.annotations.NullMarked;
