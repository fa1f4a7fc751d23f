/** Reads counters of the kernel. */
@NullMarked
package io.dualstackd.dataplane.counters.io;

import org.jspecify.annotations.NullMarked;
