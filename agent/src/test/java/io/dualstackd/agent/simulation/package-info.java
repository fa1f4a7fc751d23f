/** A whole daemon on simulated time, with a simulated kernel and an API server in memory. */
@NullMarked
package io.dualstackd.agent.simulation;

import org.jspecify.annotations.NullMarked;
