/**
 * The desired state of this node for one IP family, free of Kubernetes types: Services as the data plane sees them, their
 * endpoints, and the node itself.
 *
 * <p>In: made by {@code kubeapi.view} from Kubernetes objects. Out: read by {@link io.dualstackd.dataplane.plan}. Must not
 * touch: Kubernetes objects, netlink messages, iptables terms; no clocks, no I/O.
 *
 * <p>The one surprising thing: everything here is of one family. A dual-stack Service appears as two
 * {@link io.dualstackd.dataplane.model.ServiceView}s, handled by two independent reconcilers.
 */
@NullMarked
package io.dualstackd.dataplane.model;

import org.jspecify.annotations.NullMarked;
