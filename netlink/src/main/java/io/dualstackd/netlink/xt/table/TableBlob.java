package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.Arrays;

/**
 * A whole table in the kernel's format ({@code struct ipt_getinfo} and {@code ipt_get_entries}, or {@code ipt_replace}). Its arrays are not
 * copied, because a table may have a hundred megabytes; they must not be changed.
 */
public final class TableBlob {
    /** {@code NF_INET_NUMHOOKS}. */
    public static final int HOOKS = 5;

    private final IpFamily family;
    private final String name;
    private final int validHooks;
    private final int[] hookEntries;
    private final int[] underflows;
    private final int count;
    private final byte[] entries;

    /**
     * @param validHooks bit n: the table has a built-in chain for hook n
     * @param hookEntries for each hook the offset of the first entry of its chain
     * @param underflows for each hook the offset of the last entry of its chain, which holds the policy
     * @param count number of entries
     */
    public TableBlob(
            IpFamily family,
            String name,
            int validHooks,
            int[] hookEntries,
            int[] underflows,
            int count,
            byte[] entries) {
        this.family = family;
        this.name = name;
        this.validHooks = validHooks;
        this.hookEntries = hookEntries;
        this.underflows = underflows;
        this.count = count;
        this.entries = entries;
    }

    public IpFamily family() {
        return family;
    }

    /** {@code nat}. */
    public String name() {
        return name;
    }

    public int validHooks() {
        return validHooks;
    }

    public boolean hasHook(int hook) {
        return (validHooks >>> hook & 1) == 1;
    }

    public int hookEntry(int hook) {
        return hookEntries[hook];
    }

    public int underflow(int hook) {
        return underflows[hook];
    }

    public int count() {
        return count;
    }

    /** Bytes of all entries. */
    public int size() {
        return entries.length;
    }

    /** All entries, one after the other; must not be changed. */
    public byte[] entries() {
        return entries;
    }

    /** Whether both contain the same rules. Counters and fields private to the kernel are ignored. */
    public boolean saysTheSame(TableBlob other) {
        if (count != other.count
                || entries.length != other.entries.length
                || !Arrays.equals(hookEntries, other.hookEntries)
                || !Arrays.equals(underflows, other.underflows)) {
            return false;
        }
        EntryLayout layout = EntryLayout.of(family);
        int at = 0;
        for (int i = 0; i < count; i++) {
            int next = at + EntryLayout.u16(entries, at + layout.nextOffset());
            if (!same(other, at, at + layout.nfcache())
                    || !same(other, at + layout.targetOffset(), at + layout.comefrom())
                    || !same(other, at + layout.header(), next)) {
                return false;
            }
            at = next;
        }
        return true;
    }

    private boolean same(TableBlob other, int from, int to) {
        return Arrays.equals(entries, from, to, other.entries, from, to);
    }

    /** {@code IPv4 nat, 12 entries}. */
    @Override
    public String toString() {
        return family + " " + name + ", " + count + " entries";
    }
}
