package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtTable;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables of iptables legacy that one family has, of those dualstackd writes to. Tables that do not exist are not created by
 * reading.
 *
 * @param tables by name, as read
 */
public record LegacyTables(Map<Table, XtTable> tables) {
    public LegacyTables {
        tables = Map.copyOf(tables);
    }

    /** Reads them; none where the kernel has no iptables legacy, or not this family. */
    public static LegacyTables read(IpFamily family, NetNs ns) throws IOException {
        Set<String> names = XtTableClient.tables(family, ns);
        if (names.isEmpty()) {
            return new LegacyTables(Map.of());
        }
        try (XtTableClient kernel = XtTableClient.open(family, ns)) {
            return read(kernel);
        }
    }

    static LegacyTables read(XtTableClient kernel) throws IOException {
        Map<Table, XtTable> read = new EnumMap<>(Table.class);
        for (String name : kernel.tables()) {
            Optional<Table> table = Table.named(name);
            if (table.isPresent()) {
                try {
                    read.put(table.get(), XtTableCodec.decode(kernel.read(name)));
                } catch (DecodeException e) {
                    throw new IOException("cannot read the table as iptables writes it: " + e.getMessage(), e);
                }
            }
        }
        return new LegacyTables(read);
    }

    /** The names of a table's chains; none when there is no such table. */
    public List<String> chains(Table table) {
        return Optional.ofNullable(tables.get(table)).stream()
                .flatMap(found -> found.chains().stream())
                .map(XtChain::name)
                .toList();
    }

    /** Whether there is any rule, or any user-defined chain. */
    public boolean holdRules() {
        return tables.values().stream()
                .flatMap(table -> table.chains().stream())
                .anyMatch(chain -> !chain.isBuiltIn() || !chain.rules().isEmpty());
    }
}
