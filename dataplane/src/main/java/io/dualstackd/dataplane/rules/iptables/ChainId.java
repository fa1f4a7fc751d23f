package io.dualstackd.dataplane.rules.iptables;

/** A chain within one family. */
public record ChainId(Table table, String name) implements Comparable<ChainId> {
    @Override
    public int compareTo(ChainId other) {
        int byTable = table.compareTo(other.table);
        return byTable != 0 ? byTable : name.compareTo(other.name);
    }

    /** {@code nat KUBE-SERVICES}. */
    @Override
    public String toString() {
        return table + " " + name;
    }
}
