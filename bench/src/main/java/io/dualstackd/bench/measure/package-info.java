/** What all benchmarks share: options, a made-up node, JVMs of their own, figures and how they are printed. */
@NullMarked
package io.dualstackd.bench.measure;

import org.jspecify.annotations.NullMarked;
