/**
 * Nftables mode: compares the table of a family with what is wanted in it, element by element.
 *
 * <p>In: {@link io.dualstackd.dataplane.rules.nftables.ServiceElements} and chains that are wanted; the table as read, or the applied
 * state of it. Out: the messages of a transaction, and the applied state after it. Must not touch: the kernel.
 *
 * <p>The one surprising thing: nothing here is an object per element. There are a hundred thousand of them, so the kernel's content is
 * read into packed tables, and the applied state of a Service is one array of some hundred bytes. Both are compared by the same code,
 * because a Service's applied state is unpacked into the same small tables.
 */
@NullMarked
package io.dualstackd.dataplane.diff.elements;

import org.jspecify.annotations.NullMarked;
