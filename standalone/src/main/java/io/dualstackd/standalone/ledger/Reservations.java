package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.serviceapi.Rejection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The IPAddresses in files: such an address is not allocated to any Service. */
final class Reservations {
    private final LedgerEntries ledgerEntries;
    private final AllocationPools allocationPools;

    Reservations(LedgerEntries ledgerEntries, AllocationPools allocationPools) {
        this.ledgerEntries = ledgerEntries;
        this.allocationPools = allocationPools;
    }

    /** Applies an IPAddress of a file; empty when it is in force now. */
    Optional<EntryRefusal> put(IpAddress address, Instant now) {
        Optional<String> recreated = AllocationRepair.otherUid(address.parent(), ledgerEntries);
        if (recreated.isPresent()) {
            // It is right again once that Service is removed.
            return Optional.of(EntryRefusal.number(
                    "spec.parentRef.uid",
                    address.parent().uid(),
                    AllocationRepair.words(address.parent()) + " was created anew and has uid " + recreated.get()
                            + "; write that, or no uid"));
        }
        Optional<Entry.AddressEntry> old = ledgerEntries.address(address.ip());
        if (old.isEmpty()) {
            if (!allocationPools.isInRange(address.ip())) {
                return Optional.of(EntryRefusal.number(
                        "metadata.name",
                        address.ip().toString(),
                        "is in no ServiceCIDR, so no Service could get it and there is nothing to reserve"));
            }
            allocationPools.use(address.ip());
            ledgerEntries.put(new Entry.AddressEntry(now, address));
            return Optional.empty();
        }
        IpAddress there = old.get().address();
        if (there.parent().isSame(address.parent())) {
            // An entry that the allocator manages stays managed.
            ledgerEntries.put(new Entry.AddressEntry(
                    old.get().created(),
                    new IpAddress(address.ip(), address.parent(), there.managed() || address.managed())));
            return Optional.empty();
        }
        return there.managed()
                ? Optional.of(EntryRefusal.number(
                        "metadata.name",
                        address.ip().toString(),
                        "is already allocated to " + AllocationRepair.words(there.parent())))
                : Optional.of(EntryRefusal.rule(List.of(new Rejection(
                        "spec.parentRef",
                        address.parent().name(),
                        "may not change once set; delete the object first"))));
    }

    /** Applies that no file has it any more. An address that its Service holds stays allocated to it. */
    void remove(ObjectKey key) {
        if (ledgerEntries.find(key).orElse(null) instanceof Entry.AddressEntry entry
                && !AllocationRepair.isHeld(entry, ledgerEntries)) {
            ledgerEntries.remove(key);
            allocationPools.giveBack(entry.address().ip());
        }
    }
}
