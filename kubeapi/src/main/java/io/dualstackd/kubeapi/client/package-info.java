/**
 * A Kubernetes API server as the source of objects, as values: {@link io.dualstackd.kubeapi.client.ClusterSettings} and the reactions to
 * each response.
 *
 * <p>In: settings, responses of the server. Out: what to request next, what to log. Must not touch: sockets, clocks, files; that is
 * {@code kubeapi.client.io}.
 */
@NullMarked
package io.dualstackd.kubeapi.client;

import org.jspecify.annotations.NullMarked;
