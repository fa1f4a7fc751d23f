/**
 * The floor of real packets: what the specification says becomes of a connection, and a laboratory of network namespaces in which
 * it can be tried.
 *
 * <p>In: {@link io.dualstackd.dataplane.packets.Scenario}s, each a node, its Services and connections with their expected ends.
 * Out: a verdict by the oracle over plans and one by a kernel. Must not touch: the host's network; everything happens in
 * namespaces that vanish with the process.
 *
 * <p>The one surprising thing: expectations are written down from the specification and never computed from the plan, so that the
 * oracle is on trial here as much as the rules.
 */
@NullMarked
package io.dualstackd.dataplane.packets;

import org.jspecify.annotations.NullMarked;
