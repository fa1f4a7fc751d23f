package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.xt.table.XtEntry;

/** A rule in the form in which it is compared and sent, which depends on the transport; this package does not look inside. */
public sealed interface RuleImage {
    Rule rule();

    /** Equal to the print of the same rule read back from the kernel. */
    Fingerprint print();

    /** For nf_tables. */
    record Expressions(Rule rule, Fingerprint print, RuleBody body) implements RuleImage {}

    /** For iptables legacy. */
    record Entry(Rule rule, Fingerprint print, XtEntry entry) implements RuleImage {}
}
