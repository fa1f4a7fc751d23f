/**
 * Nftables mode: what the table of a family holds against what is wanted in it, element by element.
 *
 * <p>In: {@link io.dualstackd.dataplane.rules.nftables.ServiceElements} and chains that are wanted; what a read of the table gave,
 * or what is believed of it. Out: the messages of a transaction, and the belief for the time after it. Must not touch: the
 * kernel.
 *
 * <p>The one surprising thing: nothing here is an object per element. There are a hundred thousand of them, so the kernel's
 * content passes through packed tables, and the belief about a Service is one array of some hundred bytes. Both are compared by the
 * same code, because a Service's own belief is unpacked into the same small tables.
 */
@NullMarked
package io.dualstackd.dataplane.diff.elements;

import org.jspecify.annotations.NullMarked;
