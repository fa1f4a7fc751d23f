/**
 * Reports about pods: {@link io.dualstackd.admin.pods.PodsReport}, shown as a table, as a description of one pod, and as Kubernetes
 * objects in JSON or YAML.
 *
 * <p>In: pods as they are known, the node's addresses. Out: text. Must not touch: the daemon, sockets, the clock.
 *
 * <p>The one surprising thing: the objects are {@code v1/Pod} with few fields; {@code kubectl} can read them from a pipe.
 */
@NullMarked
package io.dualstackd.admin.pods;

import org.jspecify.annotations.NullMarked;
