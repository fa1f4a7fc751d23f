/**
 * Where the API server is and how it is spoken to: {@link io.dualstackd.kubeapi.access.ClusterAccess}, from a kubeconfig or from what
 * a pod finds in its own file system.
 *
 * <p>In: texts of those files. Out: values. Must not touch: files, sockets.
 *
 * <p>The one surprising thing: what changes while the daemon runs (tokens, client certificates) is no part of the values here; it is asked
 * for with each request and each connection, of {@code Credentials} in {@code agent.cluster.access.io}.
 */
@NullMarked
package io.dualstackd.kubeapi.access;

import org.jspecify.annotations.NullMarked;
