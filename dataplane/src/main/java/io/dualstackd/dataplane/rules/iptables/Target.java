package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.netlink.ip.IpPort;

/** What a rule does, named as in iptables-extensions(8). */
public sealed interface Target {
    /** No {@code -j}: the packet goes on to the next rule; the rule only counts, and shows its comment in listings. */
    record None() implements Target {}

    /** {@code -j CHAIN}. */
    record Jump(String chain) implements Target {}

    /** {@code -j ACCEPT}. */
    record Accept() implements Target {}

    /** {@code -j DROP}. */
    record Drop() implements Target {}

    /** {@code -j RETURN}. */
    record Return() implements Target {}

    /** {@code -j REJECT}: ICMP port unreachable, in both families. */
    record Reject() implements Target {}

    /** {@code -j DNAT --to-destination ADDRESS}. */
    record Dnat(IpPort to) implements Target {}

    /** {@code -j MASQUERADE}, with {@code --random-fully} when {@code fullyRandom}. */
    record Masquerade(boolean fullyRandom) implements Target {}

    /** {@code -j MARK --set-xmark VALUE/MASK}: clears the mask's bits, then exclusive-ors the value. */
    record SetXmark(int value, int mask) implements Target {}
}
