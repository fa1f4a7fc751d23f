package io.dualstackd.netlink.generic;

/**
 * A kernel subsystem with a generic netlink interface.
 *
 * @param name as it registered, for example {@code nlctrl}
 * @param id the message type of all its messages, from 16 on; different after each boot
 * @param version of its messages
 */
public record GenericFamily(String name, int id, int version) {}
