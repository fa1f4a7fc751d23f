/**
 * The entry point of the benchmark: {@link io.dualstackd.bench.Bench} reads the command line and starts each measurement in a JVM of its
 * own.
 *
 * <p>In: arguments. Out: text, to the terminal and on request to {@code docs/bench}. Must not touch: the host's rules, links and
 * addresses; every measurement makes network namespaces of its own.
 *
 * <p>The one surprising thing: measurements do not run in this JVM. A fresh JVM with the daemon's flags is part of what is measured, so
 * this one only starts others and collects their output.
 */
@NullMarked
package io.dualstackd.bench;

import org.jspecify.annotations.NullMarked;
