/** What follows from which answer of an API server. */
@NullMarked
package io.dualstackd.agent.cluster;

import org.jspecify.annotations.NullMarked;
