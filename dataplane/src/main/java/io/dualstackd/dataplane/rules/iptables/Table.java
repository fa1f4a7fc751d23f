package io.dualstackd.dataplane.rules.iptables;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The iptables tables we write to. */
public enum Table {
    MANGLE,
    NAT,
    FILTER;

    /** The table iptables calls so; none for tables we never write to. */
    public static Optional<Table> named(String name) {
        return Arrays.stream(values())
                .filter(table -> table.toString().equals(name))
                .findFirst();
    }

    /** {@code nat}, {@code filter}, {@code mangle}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
