package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * A table of iptables legacy.
 *
 * @param name {@code nat}
 * @param validHooks as in {@link TableBlob#validHooks}
 * @param chains built-in chains in the order of their hooks, then user-defined ones
 * @param tail the last entry, which ends every table
 */
public record XtTable(IpFamily family, String name, int validHooks, List<XtChain> chains, XtEntry tail) {
    private static final List<String> HOOK_NAMES = List.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");

    public XtTable {
        chains = List.copyOf(chains);
    }

    /** The name of the chain of a hook in iptables. */
    static String hookName(int hook) {
        return HOOK_NAMES.get(hook);
    }

    /** Returns an empty user-defined chain. */
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
