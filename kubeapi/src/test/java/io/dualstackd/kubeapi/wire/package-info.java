/** What an API server writes, for tests. */
@NullMarked
package io.dualstackd.kubeapi.wire;

import org.jspecify.annotations.NullMarked;
