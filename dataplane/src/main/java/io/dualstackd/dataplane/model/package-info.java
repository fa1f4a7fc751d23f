/**
 * What the cluster wants of this node, in our own words and for one IP family: Services as the data plane sees them, their
 * endpoints, and the node itself.
 *
 * <p>In: made by {@code agent.view} out of Kubernetes objects. Out: read by {@link io.dualstackd.dataplane.plan}. Must not
 * touch: any Kubernetes, netlink message or iptables word; no clocks, no I/O.
 *
 * <p>The one surprising thing: everything here is of one family. A dual-stack Service appears as two
 * {@link io.dualstackd.dataplane.model.ServiceView}s, planned by two lines that know nothing of each other.
 */
@NullMarked
package io.dualstackd.dataplane.model;

import org.jspecify.annotations.NullMarked;
