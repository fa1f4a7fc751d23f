/**
 * {@code dualstackd demo}: a node, pods and an outside client in network namespaces of their own, the daemon on the node, and
 * real packets through the rules it wrote.
 *
 * <p>In: a folder of manifests. Out: a table, and an exit code. Must not touch: the host's network. The namespaces have no name
 * and belong to this process alone, so they end with it, however it ends.
 *
 * <p>The one surprising thing: all hosts live in one process. A socket belongs to the namespace it was opened in, whichever thread uses it
 * later, so only the opening is done inside the namespace.
 */
@NullMarked
package io.dualstackd.agent.demo;

import org.jspecify.annotations.NullMarked;
