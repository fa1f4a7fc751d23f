/**
 * iptables rules as the nf_tables expressions that {@code iptables-nft} 1.8.9 writes for them, or as the entries of
 * {@code iptables-legacy}, and the fingerprint by which a rule read from the kernel is compared with the wanted one.
 *
 * <p>In: {@link io.dualstackd.dataplane.rules.iptables.Rule}, or the bytes of one the kernel lists. Out:
 * {@link io.dualstackd.dataplane.diff.RuleImage}, or a {@link io.dualstackd.dataplane.diff.Fingerprint}. Must not touch: sockets.
 *
 * <p>The one surprising thing: not every match is an xtables structure. Addresses, interfaces, protocol, TCP and UDP ports, and
 * the mark are native expressions; the rest goes through {@code nft_compat}. {@code iptables-save} prints both alike.
 */
@NullMarked
package io.dualstackd.dataplane.rules.encoding;

import org.jspecify.annotations.NullMarked;
