/**
 * What {@code explain} asks the kernel: the rules of ours a packet meets, the base chains of others, routes and settings. Reads only.
 */
@NullMarked
package io.dualstackd.dataplane.explain.io;

import org.jspecify.annotations.NullMarked;
