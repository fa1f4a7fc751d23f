/**
 * Checks repeated with random input.
 *
 * <p>{@link io.dualstackd.netlink.random.Tries} runs a check many times, {@link io.dualstackd.netlink.random.Draw} hands out the input of
 * one run. Each run has a seed; a failure names it, and {@code -Ddualstackd.seed=SEED} repeats that run alone. Nothing is shrunk: inputs
 * are small, and one in eight numbers, lists and texts is an extreme one.
 */
@NullMarked
package io.dualstackd.netlink.random;

import org.jspecify.annotations.NullMarked;
