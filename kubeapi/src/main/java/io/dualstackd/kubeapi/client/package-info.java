/**
 * A Kubernetes API server as the source of objects, as values: {@link io.dualstackd.kubeapi.client.ClusterSettings} and what follows from
 * which answer.
 *
 * <p>In: settings, answers of the server. Out: what to ask next, what to tell people. Must not touch: sockets, clocks, files; that is
 * {@code agent.cluster.io}.
 */
@NullMarked
package io.dualstackd.kubeapi.client;

import org.jspecify.annotations.NullMarked;
