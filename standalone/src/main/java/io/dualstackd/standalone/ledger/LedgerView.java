package io.dualstackd.standalone.ledger;

import io.dualstackd.standalone.allocation.AddressPool;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of the ledger, for people. May be read from any thread.
 *
 * @param entries ordered by key
 * @param waiting ServiceCIDRs that are being deleted and cannot be removed yet, with the address that keeps each
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

    /** A ServiceCIDR that is being deleted. */
    public record Waiting(String serviceCidr, Optional<String> keptBy) {}
}
