package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * A table of iptables legacy.
 *
 * @param name {@code nat}
 * @param validHooks as in {@link TableBlob#validHooks}
 * @param chains built-in chains in the order of their hooks, then those of users
 * @param tail the last entry, which ends every table
 */
public record XtTable(IpFamily family, String name, int validHooks, List<XtChain> chains, XtEntry tail) {
    private static final List<String> HOOK_NAMES = List.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");

    public XtTable {
        chains = List.copyOf(chains);
    }

    /** What iptables calls the chain of a hook. */
    static String hookName(int hook) {
        return HOOK_NAMES.get(hook);
    }

    /** An empty chain for users to lead to. */
    public XtChain newChain(String chain) {
        return new XtChain(
                chain,
                XtChain.OF_USER,
                List.of(EntryDraft.head(family, chain)),
                List.of(),
                EntryDraft.of(family).returning());
    }

    /** The same table with other chains. */
    public XtTable with(List<XtChain> others) {
        return new XtTable(family, name, validHooks, others, tail);
    }
}
