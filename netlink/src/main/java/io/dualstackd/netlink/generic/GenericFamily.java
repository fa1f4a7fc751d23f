package io.dualstackd.netlink.generic;

/**
 * A part of the kernel that is spoken to through generic netlink.
 *
 * @param name as it registered, for example {@code nlctrl}
 * @param id the message type of all its messages, from 16 on; another one after each boot
 * @param version of its messages
 */
public record GenericFamily(String name, int id, int version) {}
