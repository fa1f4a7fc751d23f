/**
 * The address of the API server and how to connect to it: {@link io.dualstackd.kubeapi.access.ClusterAccess}, from a kubeconfig or from the
 * in-cluster environment of a pod.
 *
 * <p>In: texts of those files. Out: values. Must not touch: files, sockets.
 *
 * <p>The one surprising thing: what changes while the daemon runs (tokens, client certificates) is not part of the values here; it is read
 * from {@code Credentials} in {@code kubeapi.access.io} for each request and each connection.
 */
@NullMarked
package io.dualstackd.kubeapi.access;

import org.jspecify.annotations.NullMarked;
