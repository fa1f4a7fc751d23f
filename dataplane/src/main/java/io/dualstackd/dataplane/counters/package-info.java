/** How many connections the destinations of Services have had, regardless of the mode that counts them. */
@NullMarked
package io.dualstackd.dataplane.counters;

import org.jspecify.annotations.NullMarked;
