/** An API server in the test's own process, and the tests that talk to it. */
@NullMarked
package io.dualstackd.kubeapi.client.io;

import org.jspecify.annotations.NullMarked;
