package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.wire.DecodeException;
import java.util.HashMap;
import java.util.Map;

/** Converts blobs to tables and back. The cost is proportional to the whole table. */
public final class XtTableCodec {
    private XtTableCodec() {}

    /** Thrown for a jump to a chain that does not exist. */
    public static final class NoSuchChain extends Exception {
        private static final long serialVersionUID = 1;

        NoSuchChain(String from, String to) {
            super("a rule in " + from + " leads to " + to + ", which is not there");
        }
    }

    /** @throws DecodeException when the blob does not have the structure that iptables gives it */
    public static XtTable decode(TableBlob blob) throws DecodeException {
        return new TableDecoding(blob).table();
    }

    /**
     * @param predecessor the current table of the kernel, into which the unchanged entries of {@code table} are views
     * @throws NoSuchChain when a rule jumps to a chain that does not exist
     */
    public static Replacement encode(XtTable table, TableBlob predecessor) throws NoSuchChain {
        int size = table.tail().length;
        int count = 1;
        for (XtChain chain : table.chains()) {
            count += chain.head().size() + chain.rules().size() + 1;
            for (XtEntry head : chain.head()) {
                size += head.length;
            }
            for (XtEntry rule : chain.rules()) {
                size += rule.length;
            }
            size += chain.end().length;
        }
        byte[] into = new byte[size];
        int[] origins = new int[count];
        int[] hookEntries = new int[TableBlob.HOOKS];
        int[] underflows = new int[TableBlob.HOOKS];
        Map<String, Integer> starts = new HashMap<>(table.chains().size() * 2);
        int at = 0;
        int index = 0;
        for (XtChain chain : table.chains()) {
            for (XtEntry head : chain.head()) {
                origins[index++] = head.placeIn(predecessor);
                at = head.copyTo(into, at);
            }
            if (chain.isBuiltIn()) {
                hookEntries[chain.hook()] = at;
            } else {
                starts.put(chain.name(), at);
            }
            for (XtEntry rule : chain.rules()) {
                origins[index++] = rule.placeIn(predecessor);
                at = rule.copyTo(into, at);
            }
            if (chain.isBuiltIn()) {
                underflows[chain.hook()] = at;
            }
            origins[index++] = chain.end().placeIn(predecessor);
            at = chain.end().copyTo(into, at);
        }
        origins[index] = table.tail().placeIn(predecessor);
        table.tail().copyTo(into, at);
        relocate(table, into, starts);
        TableBlob blob =
                new TableBlob(table.family(), table.name(), table.validHooks(), hookEntries, underflows, count, into);
        return new Replacement(blob, predecessor, origins);
    }

    private static void relocate(XtTable table, byte[] into, Map<String, Integer> starts) throws NoSuchChain {
        int at = 0;
        for (XtChain chain : table.chains()) {
            for (XtEntry head : chain.head()) {
                at += head.length;
            }
            for (XtEntry rule : chain.rules()) {
                String to = rule.chain();
                if (to != null) {
                    Integer start = starts.get(to);
                    if (start == null) {
                        throw new NoSuchChain(chain.name(), to);
                    }
                    EntryLayout.INT.set(into, at + rule.verdict(), (int) start);
                } else if (rule.goesOn()) {
                    EntryLayout.INT.set(into, at + rule.verdict(), at + rule.length);
                }
                at += rule.length;
            }
            at += chain.end().length;
        }
    }
}
