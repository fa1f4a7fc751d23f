/**
 * Converts Kubernetes objects to the data plane's model: {@link io.dualstackd.kubeapi.view.ServiceViews}.
 *
 * <p>In: one {@link io.dualstackd.kubeapi.objects.Service} and its {@link io.dualstackd.kubeapi.objects.EndpointSlice}s, an IP family, the name
 * of this node. Out: one {@link io.dualstackd.dataplane.model.ServiceView}. Must not touch: other services (the cost of a change is that of
 * the changed service), files, clocks, and the choice among endpoints, which is made by the planner.
 *
 * <p>The one surprising thing: slices are matched with ports by port <em>name</em> and protocol, never by number, so one service port
 * may lead to different port numbers in different slices.
 */
@NullMarked
package io.dualstackd.kubeapi.view;

import org.jspecify.annotations.NullMarked;
