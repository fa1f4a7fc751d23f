/** Shared parts of all benchmarks: options, a made-up node, child JVMs, figures and how they are printed. */
@NullMarked
package io.dualstackd.bench.measure;

import org.jspecify.annotations.NullMarked;
