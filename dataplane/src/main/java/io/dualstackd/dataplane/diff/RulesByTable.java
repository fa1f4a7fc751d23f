package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.Table;

/**
 * Numbers of rules, one for each table, in one long: ten thousand Services remember theirs. Sums and differences of such longs are those
 * of their numbers.
 */
public final class RulesByTable {
    /** Two million rules in a table; the kernel is out of patience long before. */
    private static final int BITS = 21;

    private static final long MASK = (1L << BITS) - 1;

    private RulesByTable() {}

    /** This many rules of one table. */
    public static long of(Table table, int rules) {
        return (long) rules << shift(table);
    }

    /** How many of them are of a table. */
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

    /** How many in all. */
    public static int all(long rules) {
        int sum = 0;
        for (Table table : Table.values()) {
            sum += in(table, rules);
        }
        return sum;
    }
}
