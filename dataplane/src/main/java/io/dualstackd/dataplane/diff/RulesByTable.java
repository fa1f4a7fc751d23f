package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.Table;

/**
 * Numbers of rules, one for each table, packed in one long, because they are kept for each of ten thousand Services. Such longs can be
 * added and subtracted.
 */
public final class RulesByTable {
    /** Up to two million rules in a table, which is more than the kernel can handle. */
    private static final int BITS = 21;

    private static final long MASK = (1L << BITS) - 1;

    private RulesByTable() {}

    /** Packs this many rules of one table. */
    public static long of(Table table, int rules) {
        return (long) rules << shift(table);
    }

    /** The number of rules in one table. */
    public static int in(Table table, long rules) {
        return (int) ((rules >>> shift(table)) & MASK);
    }

    private static int shift(Table table) {
        return switch (table) {
            case NAT -> 0;
            case FILTER -> BITS;
            case MANGLE -> 2 * BITS;
        };
    }

    /** The number of rules in all tables. */
    public static int all(long rules) {
        int sum = 0;
        for (Table table : Table.values()) {
            sum += in(table, rules);
        }
        return sum;
    }
}
