/**
 * Measures the whole daemon, started as {@code bin/dualstackd} does it, with a folder of manifests, in a network namespace of its own.
 *
 * <p>In: a mode, a number of Services. Out: how long until the rules are in force, how much memory it takes, how long a changed file takes
 * to reach the kernel. Must not touch: the host's rules.
 *
 * <p>The one surprising thing: the daemon is observed from outside only, by its log and by {@code /proc}; none of its code runs here.
 */
@NullMarked
package io.dualstackd.bench.daemon;

import org.jspecify.annotations.NullMarked;
