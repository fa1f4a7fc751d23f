package io.dualstackd.netlink.xt.table;

import java.util.List;

/**
 * A chain of a table.
 *
 * @param hook the hook it belongs to, 0 to 4, or {@link #OF_USER}
 * @param head of a user's chain the entry that names it; a built-in chain has none
 * @param rules in order; the end is none of them
 * @param end holds the policy of a built-in chain, or returns from a user's
 */
public record XtChain(String name, int hook, List<XtEntry> head, List<XtEntry> rules, XtEntry end) {
    /** {@link #hook} of a chain that rules lead to, not packets. */
    public static final int OF_USER = -1;

    public XtChain {
        head = List.copyOf(head);
        rules = List.copyOf(rules);
        if (head.isEmpty() != (hook != OF_USER)) {
            throw new IllegalArgumentException(
                    "chain " + name + " with hook " + hook + " and " + head.size() + " heads");
        }
    }

    public boolean isBuiltIn() {
        return hook != OF_USER;
    }

    /** The same chain with other rules. */
    public XtChain with(List<XtEntry> otherRules) {
        return new XtChain(name, hook, head, otherRules, end);
    }
}
