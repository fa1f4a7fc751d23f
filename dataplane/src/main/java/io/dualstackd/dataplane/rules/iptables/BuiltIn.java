package io.dualstackd.dataplane.rules.iptables;

import java.util.List;

/** The built-in chains of a table: the ones through which the kernel itself sends packets. */
public final class BuiltIn {
    private BuiltIn() {}

    /** In the order listings print them. */
    public static List<String> of(Table table) {
        return switch (table) {
            case MANGLE -> List.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");
            case NAT -> List.of("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING");
            case FILTER -> List.of("INPUT", "FORWARD", "OUTPUT");
        };
    }

    public static boolean contains(ChainId chain) {
        return of(chain.table()).contains(chain.name());
    }
}
