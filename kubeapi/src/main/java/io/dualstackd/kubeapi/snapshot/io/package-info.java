/** The file with the snapshot in the state directory. */
@NullMarked
package io.dualstackd.kubeapi.snapshot.io;

import org.jspecify.annotations.NullMarked;
