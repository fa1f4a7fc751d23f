/**
 * The file in which a process leaves the elements of its tables to the next one.
 */
@NullMarked
package io.dualstackd.dataplane.io.checkpoint;

import org.jspecify.annotations.NullMarked;
