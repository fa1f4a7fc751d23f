/**
 * What the daemon tells about pods: {@link io.dualstackd.agent.admin.pods.PodsReport}, shown as a table, as a description of one pod, and
 * as Kubernetes objects in JSON or YAML.
 *
 * <p>In: pods as they are known, the node's addresses. Out: text. Must not touch: the daemon, sockets, the clock.
 *
 * <p>The one surprising thing: JSON and YAML are one document, written by two hands; {@code kubectl} reads both.
 */
@NullMarked
package io.dualstackd.agent.admin.pods;

import org.jspecify.annotations.NullMarked;
