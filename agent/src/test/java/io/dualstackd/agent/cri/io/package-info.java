/** Runtimes that are scripted, faulty, or none at all, behind real Unix sockets. */
@NullMarked
package io.dualstackd.agent.cri.io;

import org.jspecify.annotations.NullMarked;
