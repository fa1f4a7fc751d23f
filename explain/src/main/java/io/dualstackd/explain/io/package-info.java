/**
 * What {@code explain} reads from the kernel: dualstackd's rules a packet meets, the base chains of others, routes and settings.
 * Read-only.
 */
@NullMarked
package io.dualstackd.explain.io;

import org.jspecify.annotations.NullMarked;
