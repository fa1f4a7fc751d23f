/**
 * The files behind {@code kubeapi.access}: kubeconfig, service account, token files and client certificates that are replaced from
 * time to time.
 *
 * <p>In: paths. Out: {@link io.dualstackd.kubeapi.access.ClusterAccess} once, and
 * {@link io.dualstackd.kubeapi.access.io.Credentials} that are read for each request. Must not touch: sockets.
 *
 * <p>The one surprising thing: a file that cannot be read for a moment (it is being replaced) is not an error; the last content is used.
 */
@NullMarked
package io.dualstackd.kubeapi.access.io;

import org.jspecify.annotations.NullMarked;
