/** What an API server writes, for tests. */
@NullMarked
package io.dualstackd.agent.cluster.wire;

import org.jspecify.annotations.NullMarked;
