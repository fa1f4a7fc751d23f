package io.dualstackd.dataplane.diff.elements;

/**
 * One state of the rule set of one network namespace. No other state ever has the same values, so as long as they are the same, nothing in
 * the rule set was changed. Elements that packets add, and counters, do not count.
 *
 * @param boot the boot id of the kernel, {@code /proc/sys/kernel/random/boot_id}
 * @param namespace the cookie of the network namespace, {@code SO_NETNS_COOKIE} of socket(7)
 * @param generation of the rule set, which each transaction of nf_tables increases by one
 */
public record RuleSetId(String boot, long namespace, int generation) {}
