/**
 * What the daemon needs from its host and changes on it, apart from rules: checks before the start, kernel settings with their former values,
 * which variant of iptables is in use, the lock of the network namespace, and the removal of what another mode or a kube-proxy left.
 */
@NullMarked
package io.dualstackd.agent.host.io;

import org.jspecify.annotations.NullMarked;
