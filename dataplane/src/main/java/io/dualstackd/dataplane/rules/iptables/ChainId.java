package io.dualstackd.dataplane.rules.iptables;

import java.util.Comparator;

/** A chain within one family. */
public record ChainId(Table table, String name) implements Comparable<ChainId> {
    private static final Comparator<ChainId> ORDER =
            Comparator.comparing(ChainId::table).thenComparing(ChainId::name);

    @Override
    public int compareTo(ChainId other) {
        return ORDER.compare(this, other);
    }

    /** {@code nat KUBE-SERVICES}. */
    @Override
    public String toString() {
        return table + " " + name;
    }
}
