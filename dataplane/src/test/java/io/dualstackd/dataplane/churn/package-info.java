/**
 * Long random runs of a node, made from a seed: Services, the node, other programs, the kernel's answers and the daemon's own life change at
 * random, and after each step the kernel has to hold what is wanted then, no more and no less.
 *
 * <p>In: a seed. Out: the first step after which the kernel held something else. Must not touch: the host's own tables. The one
 * surprising thing: the kernel is read by another reader than the product's, into the words of
 * {@link io.dualstackd.dataplane.rules.nftables.TableContent}, and what it should hold is put together from nothing each time.
 */
@NullMarked
package io.dualstackd.dataplane.churn;

import org.jspecify.annotations.NullMarked;
