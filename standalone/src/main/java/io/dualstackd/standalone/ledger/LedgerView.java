package io.dualstackd.standalone.ledger;

import io.dualstackd.standalone.allocation.AddressPool;
import java.util.List;
import java.util.Optional;

/**
 * The ledger at one moment, for people who ask. May be read from any thread.
 *
 * @param entries ordered by key
 * @param waiting ServiceCIDRs that are to go and cannot yet: which one, and the address that keeps it
 * @param events the newest last
 * @param ranges how full each network is
 */
public record LedgerView(
        List<Entry> entries, List<Waiting> waiting, List<Event> events, List<AddressPool.Fill> ranges) {
    public LedgerView {
        entries = List.copyOf(entries);
        waiting = List.copyOf(waiting);
        events = List.copyOf(events);
        ranges = List.copyOf(ranges);
    }

    /** A ServiceCIDR on its way out. */
    public record Waiting(String serviceCidr, Optional<String> keptBy) {}
}
