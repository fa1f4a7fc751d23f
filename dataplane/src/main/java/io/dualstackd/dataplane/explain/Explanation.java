package io.dualstackd.dataplane.explain;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;

/**
 * What becomes of the first packet of a connection on this node now, why, and whether the kernel agrees.
 *
 * @param mode how rules are written
 * @param fate what the plans foretell
 * @param kernel what the kernel's rules say
 */
public record Explanation(Packet packet, ProxyMode mode, PacketFate fate, Testimony kernel, Agreement agreement) {}
