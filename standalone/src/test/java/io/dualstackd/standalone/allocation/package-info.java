/** Addresses and ports are given once, at once, and until none is left. */
@NullMarked
package io.dualstackd.standalone.allocation;

import org.jspecify.annotations.NullMarked;
