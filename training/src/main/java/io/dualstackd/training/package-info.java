/**
 * The program whose run the JVM's ahead-of-time caches are recorded from ({@code bin/runtime}); not in the product.
 *
 * <p>In: an empty folder. Out: nothing; the JVM around it writes the cache. Must not be used by any other code.
 *
 * <p>The one surprising thing: it runs the product's commands in its own process, because a cache is recorded from one process, and lies
 * beside the class path that the caches are for, so that they hold nothing of it.
 */
@NullMarked
package io.dualstackd.training;

import org.jspecify.annotations.NullMarked;
