/**
 * Which tracked connections outlived what they were translated to: the kernel translates a connection once, at its first packet,
 * and goes on sending to an endpoint that is gone for as long as the client keeps talking.
 *
 * <p>In: changed {@link io.dualstackd.dataplane.model.ServiceView}s, the {@link io.dualstackd.dataplane.model.NodeView}, the time.
 * Out: a {@link io.dualstackd.dataplane.flows.SweepPlan}: what to list, and a verdict for each flow listed. Must not touch:
 * sockets; how the rules are written.
 *
 * <p>The one surprising thing: a flow is judged by what serves now, not by what was removed. So it does not matter what was missed,
 * and starting is like any other time, but for the addresses nobody remembers.
 */
@NullMarked
package io.dualstackd.dataplane.flows;

import org.jspecify.annotations.NullMarked;
