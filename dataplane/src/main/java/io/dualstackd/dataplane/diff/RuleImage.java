package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.netlink.nft.RuleBody;

/**
 * A rule in the form it is compared and sent in.
 *
 * @param print equal to the print of the same rule read back from the kernel
 * @param body what is sent
 */
public record RuleImage(Rule rule, Fingerprint print, RuleBody body) {}
