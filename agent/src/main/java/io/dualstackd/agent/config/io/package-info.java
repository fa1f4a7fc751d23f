/**
 * {@link io.dualstackd.agent.config.io.DaemonSettings}: the configuration together with what belongs to this process, such as its network
 * namespace.
 */
@NullMarked
package io.dualstackd.agent.config.io;

import org.jspecify.annotations.NullMarked;
