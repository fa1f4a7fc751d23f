/** Following a host: against the running kernel, in namespaces of their own. */
@NullMarked
package io.dualstackd.nodeaddr.io;

import org.jspecify.annotations.NullMarked;
