/**
 * A Kubernetes API server as the source of objects, as values: {@link io.dualstackd.agent.cluster.ClusterSettings} and what follows from
 * which answer.
 *
 * <p>In: settings, answers of the server. Out: what to ask next, what to tell people. Must not touch: sockets, clocks, files; that is
 * {@code agent.cluster.io}.
 */
@NullMarked
package io.dualstackd.agent.cluster;

import org.jspecify.annotations.NullMarked;
