package io.dualstackd.netlink.xt.table;

import java.util.List;

/**
 * A chain of a table.
 *
 * @param hook the hook it belongs to, 0 to 4, or {@link #OF_USER}
 * @param head of a user-defined chain the entry with its name; a built-in chain has none
 * @param rules in order; without the end
 * @param end holds the policy of a built-in chain, or returns from a user-defined one
 */
public record XtChain(String name, int hook, List<XtEntry> head, List<XtEntry> rules, XtEntry end) {
    /** {@link #hook} of a user-defined chain, which is entered by rules only. */
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
