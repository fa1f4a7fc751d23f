package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.Rule;

/**
 * A rule and the fingerprint of what the kernel will hold for it.
 *
 * @param print equal to the print of the same rule read back from the kernel
 */
public record RuleImage(Rule rule, Fingerprint print) {}
