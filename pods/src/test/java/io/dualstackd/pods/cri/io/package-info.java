/** Runtimes that are scripted, faulty, or none at all, behind real Unix sockets. */
@NullMarked
package io.dualstackd.pods.cri.io;

import org.jspecify.annotations.NullMarked;
