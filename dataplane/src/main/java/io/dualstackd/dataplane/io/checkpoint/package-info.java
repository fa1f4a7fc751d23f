/**
 * Checkpoints of tables on disk.
 */
@NullMarked
package io.dualstackd.dataplane.io.checkpoint;

import org.jspecify.annotations.NullMarked;
