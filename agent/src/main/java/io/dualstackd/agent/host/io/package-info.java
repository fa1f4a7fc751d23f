/**
 * The daemon's requirements of and changes to its host beside rules: checks before the start, kernel settings with their former values,
 * which variant of iptables is in use, the lock of the network namespace, and the removal of what another mode or a kube-proxy left.
 */
@NullMarked
package io.dualstackd.agent.host.io;

import org.jspecify.annotations.NullMarked;
