/**
 * Is what we declare what runtimes speak? Two witnesses that we did not write answer: the interface's own definition, and the
 * descriptors inside the runtime that is installed.
 */
@NullMarked
package io.dualstackd.cri;

import org.jspecify.annotations.NullMarked;
