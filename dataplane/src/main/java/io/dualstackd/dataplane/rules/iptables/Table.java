package io.dualstackd.dataplane.rules.iptables;

import java.util.Locale;

/** The iptables tables we write to. */
public enum Table {
    MANGLE,
    NAT,
    FILTER;

    /** {@code nat}, {@code filter}, {@code mangle}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
