package io.dualstackd.dataplane.io.cleanup;

import io.dualstackd.dataplane.io.NetfilterAdvice;
import io.dualstackd.dataplane.io.cleanup.IptablesCleanup.Result;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Ownership.FoundJump;
import io.dualstackd.dataplane.rules.iptables.Ownership.Removal;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.table.TableBlob;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTable;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes what dualstackd, or a kube-proxy, has written into the tables of iptables legacy in one family: table by table, each all or
 * nothing. Where there is nothing to remove, nothing is written and the lock is not taken.
 */
public final class LegacyCleanup {
    private LegacyCleanup() {}

    /** The content of one table, and the part to remove. */
    private record Found(TableBlob blob, XtTable table, Map<Long, XtEntry> jumps) {}

    /** @param lock taken when there is something to remove */
    public static Result clean(IpFamily family, NetNs ns, XtablesLock lock) {
        return clean(family, ns, lock, Ownership::cleanup);
    }

    /** As {@link IptablesCleanup#cleanGuard}. */
    public static Result cleanGuard(IpFamily family, NetNs ns, XtablesLock lock) {
        return clean(family, ns, lock, Ownership::guard);
    }

    /** As {@link IptablesCleanup#isGuarded}; true when it cannot be known. */
    public static boolean isGuarded(IpFamily family, NetNs ns) {
        try {
            if (XtTableClient.tables(family, ns).isEmpty()) {
                return false;
            }
            try (XtTableClient kernel = XtTableClient.open(family, ns)) {
                return !find(kernel, new EnumMap<>(Table.class), Ownership::guard)
                        .isNothing();
            }
        } catch (IOException e) {
            return true;
        }
    }

    static Result clean(IpFamily family, NetNs ns, XtablesLock lock, IptablesCleanup.Judge judge) {
        List<String> changed = new ArrayList<>();
        try {
            if (XtTableClient.tables(family, ns).isEmpty()) {
                return new Result.Removed(0, 0, List.of());
            }
            try (XtTableClient kernel = XtTableClient.open(family, ns)) {
                Map<Table, Found> found = new EnumMap<>(Table.class);
                if (find(kernel, found, judge).isNothing()) {
                    return new Result.Removed(0, 0, List.of());
                }
                try (XtablesLock.Held ignored = lock.take()) {
                    found.clear();
                    Removal removal = find(kernel, found, judge);
                    for (Map.Entry<Table, Found> entry : found.entrySet()) {
                        if (remove(kernel, entry.getKey(), entry.getValue(), removal)) {
                            changed.add(entry.getKey().toString());
                        }
                    }
                    return IptablesCleanup.removed(removal);
                }
            }
        } catch (IOException e) {
            return new Result.Failed(NetfilterAdvice.ofLegacy(e)
                    + (changed.isEmpty() ? "" : "; removed already: chains of " + String.join(", ", changed)));
        }
    }

    private static Removal find(XtTableClient kernel, Map<Table, Found> into, IptablesCleanup.Judge judge)
            throws IOException {
        List<ChainId> chains = new ArrayList<>();
        List<FoundJump> jumps = new ArrayList<>();
        for (Table table : Table.values()) {
            if (!kernel.tables().contains(table.toString())) {
                continue;
            }
            TableBlob blob = kernel.read(table.toString());
            Found found = new Found(blob, decode(blob), new HashMap<>());
            into.put(table, found);
            for (XtChain chain : found.table().chains()) {
                ChainId id = new ChainId(table, chain.name());
                chains.add(id);
                for (XtEntry rule : chain.rules()) {
                    String to = rule.leadsTo().orElse("");
                    if (!to.isEmpty() || Ownership.shared(id)) {
                        found.jumps().put((long) jumps.size(), rule);
                        jumps.add(new FoundJump(id, to, comment(rule), rule.isUnconditional(), jumps.size()));
                    }
                }
            }
        }
        return judge.judge(chains, jumps);
    }

    private static XtTable decode(TableBlob blob) throws IOException {
        try {
            return XtTableCodec.decode(blob);
        } catch (DecodeException e) {
            throw new IOException("cannot read the table as iptables writes it: " + e.getMessage(), e);
        }
    }

    private static String comment(XtEntry rule) {
        return rule.matches().stream()
                .filter(XtComment.class::isInstance)
                .map(match -> ((XtComment) match).text())
                .reduce("", (first, last) -> last);
    }

    /** Returns whether there was something to remove. */
    private static boolean remove(XtTableClient kernel, Table table, Found found, Removal removal) throws IOException {
        Set<Long> jumps = new HashSet<>();
        removal.jumps().forEach(jump -> jumps.add(jump.handle()));
        Set<XtEntry> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        found.jumps().forEach((handle, rule) -> {
            if (jumps.contains(handle)) {
                gone.add(rule);
            }
        });
        List<XtChain> kept = new ArrayList<>();
        boolean changed = !gone.isEmpty();
        for (XtChain chain : found.table().chains()) {
            ChainId id = new ChainId(table, chain.name());
            changed |= removal.flush().contains(id);
            if (!removal.delete().contains(id)) {
                kept.add(chain.with(
                        removal.flush().contains(id)
                                ? List.of()
                                : chain.rules().stream()
                                        .filter(rule -> !gone.contains(rule))
                                        .toList()));
            }
        }
        if (changed) {
            try {
                kernel.replace(XtTableCodec.encode(found.table().with(kept), found.blob()));
            } catch (XtTableCodec.NoSuchChain e) {
                throw new IllegalStateException("chains that others lead to are kept", e);
            }
        }
        return changed;
    }
}
