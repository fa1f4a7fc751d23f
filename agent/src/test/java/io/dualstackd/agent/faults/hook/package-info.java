/**
 * A Java agent that {@link io.dualstackd.agent.faults} puts into the daemon it starts. It steps the wall clock, throws in a thread of a given
 * name and fills the heap, as lines on the standard input say. It is no part of the product, and uses nothing of it.
 */
@NullMarked
package io.dualstackd.agent.faults.hook;

import org.jspecify.annotations.NullMarked;
