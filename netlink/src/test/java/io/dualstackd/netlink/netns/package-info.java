/**
 * Other people's programs as independent witnesses of what the kernel holds, run inside a namespace of the test.
 *
 * <p>In: a namespace and a command. Out: what it printed. The product never starts a program; tests do, because they must not
 * believe our own reading of our own writing.
 */
@NullMarked
package io.dualstackd.netlink.witness;

import org.jspecify.annotations.NullMarked;
