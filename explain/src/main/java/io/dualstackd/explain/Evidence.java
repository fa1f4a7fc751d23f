package io.dualstackd.explain;

/**
 * An object in the kernel that determines what happens to a packet.
 *
 * @param place table and chain, or set
 * @param object the rule or element, as {@code iptables-save} or {@code nft} prints it
 */
public record Evidence(String place, String object) {}
