package io.dualstackd.dataplane.rules.iptables;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The iptables tables dualstackd writes to. */
public enum Table {
    MANGLE,
    NAT,
    FILTER;

    /** The table of that name in iptables; empty for tables that dualstackd never writes to. */
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
