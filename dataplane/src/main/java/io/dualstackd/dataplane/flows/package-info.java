/**
 * Detects tracked connections that outlived what they were translated to: the kernel translates a connection once, at its first
 * packet, and goes on sending to an endpoint that is gone for as long as the client keeps sending.
 *
 * <p>In: changed {@link io.dualstackd.dataplane.model.ServiceView}s, the {@link io.dualstackd.dataplane.model.NodeView}, the time.
 * Out: a {@link io.dualstackd.dataplane.flows.SweepPlan}: what to list, and a verdict for each flow listed. Must not touch:
 * sockets; how the rules are written.
 *
 * <p>The one surprising thing: a flow is judged by what serves now, not by what was removed. So missed changes do not matter, and
 * the first sweep is like any other, except for addresses of Services deleted before it.
 */
@NullMarked
package io.dualstackd.dataplane.flows;

import org.jspecify.annotations.NullMarked;
