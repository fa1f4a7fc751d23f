package io.dualstackd.dataplane.explain;

/**
 * An object in the kernel that decides about a packet.
 *
 * @param place table and chain, or set
 * @param object the rule or element, in the words of {@code iptables-save} or {@code nft}
 */
public record Evidence(String place, String object) {}
