/** Deletes flows of conntrack whose endpoint is gone. */
@NullMarked
package io.dualstackd.dataplane.flows.io;

import org.jspecify.annotations.NullMarked;
