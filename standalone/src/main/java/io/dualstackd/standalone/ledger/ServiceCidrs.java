package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.ServiceCidrRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adds, extends and removes ServiceCIDRs; one is removed only when no address depends on it. */
final class ServiceCidrs {
    static final ObjectKey DEFAULT = new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "kubernetes");

    private final List<IpPrefix> flags;
    /** The minimum time a ServiceCIDR stays after it was deleted, for Services that are about to get an address from it. */
    private final Duration grace;

    private final LedgerEntries ledgerEntries;
    private final AllocationPools allocationPools;
    private final Undo undo;
    /** The ServiceCIDRs that have a network; most networks have one each. */
    private final Map<IpPrefix, Set<ObjectKey>> owners = new HashMap<>();

    /**
     * @param flags networks of the default ServiceCIDR
     * @param grace the minimum time a deleted ServiceCIDR stays
     */
    ServiceCidrs(
            List<IpPrefix> flags,
            Duration grace,
            LedgerEntries ledgerEntries,
            AllocationPools allocationPools,
            Undo undo) {
        this.flags = flags;
        this.grace = grace;
        this.ledgerEntries = ledgerEntries;
        this.allocationPools = allocationPools;
        this.undo = undo;
    }

    /** Applies a ServiceCIDR of a file; empty when it is in force now. One that was being deleted and is in a file again stays. */
    Optional<EntryRefusal> put(ServiceCidr cidr, Instant now) {
        Optional<Entry.CidrEntry> old = ledgerEntries.cidr(cidr.key());
        if (old.isPresent()) {
            List<Rejection> rejections =
                    ServiceCidrRules.checkChange(texts(old.get().cidrs()), texts(cidr.cidrs()));
            if (!rejections.isEmpty()) {
                return Optional.of(EntryRefusal.rule(
                        old.get().deleting().isEmpty() ? rejections : List.of(waiting(rejections.getFirst()))));
            }
        }
        List<Rejection> useless = ServiceCidrRules.checkNetworks(cidr.cidrs());
        // One that an earlier version admitted stays; it says so in its condition.
        if (!useless.isEmpty()
                && old.map(Entry.CidrEntry::cidrs).filter(cidr.cidrs()::equals).isEmpty()) {
            return Optional.of(EntryRefusal.rule(useless));
        }
        store(new Entry.CidrEntry(
                cidr.key(), old.map(Entry.CidrEntry::created).orElse(now), cidr.cidrs(), Optional.empty(), true));
        return Optional.empty();
    }

    private static Rejection waiting(Rejection rejection) {
        return new Rejection(
                rejection.field(),
                rejection.value(),
                "the ServiceCIDR of this name is being deleted; this one is tried again when that one is gone");
    }

    static List<String> texts(List<IpPrefix> cidrs) {
        return cidrs.stream().map(IpPrefix::toString).toList();
    }

    /** Loads an entry as it was on disk. */
    void load(Entry.CidrEntry entry) {
        store(entry);
    }

    private void store(Entry.CidrEntry entry) {
        ledgerEntries.put(entry);
        for (IpPrefix network : entry.cidrs()) {
            undo.add(owners(network), entry.key());
            refresh(network);
        }
    }

    private Set<ObjectKey> owners(IpPrefix network) {
        return owners.computeIfAbsent(network, _ -> new HashSet<>());
    }

    /** Updates a network: several ServiceCIDRs may have it, and addresses are allocated from it while one of them stays. */
    private void refresh(IpPrefix network) {
        Set<ObjectKey> keys = owners(network);
        if (keys.isEmpty()) {
            allocationPools.noNetwork(network);
            return;
        }
        boolean ready = keys.stream()
                .anyMatch(key -> ledgerEntries
                        .cidr(key)
                        .filter(entry -> entry.deleting().isEmpty())
                        .isPresent());
        allocationPools.network(network, ready);
    }

    /**
     * Marks for deletion a ServiceCIDR that no file has any more, or the default one on request. It is removed when no address depends on
     * it.
     */
    void delete(ObjectKey key, Instant now) {
        ledgerEntries.cidr(key).filter(entry -> entry.deleting().isEmpty()).ifPresent(entry -> {
            // Nothing is removed with a file that has the same networks as the flags.
            boolean stays =
                    key.equals(DEFAULT) && entry.written() && entry.cidrs().equals(flags);
            store(new Entry.CidrEntry(
                    key, entry.created(), entry.cidrs(), stays ? Optional.empty() : Optional.of(now), false));
        });
    }

    /** Removes the ServiceCIDRs that may be removed now, and returns which. */
    List<ObjectKey> due(Instant now) {
        List<ObjectKey> removed = new ArrayList<>();
        for (Entry.CidrEntry entry : deleting()) {
            Instant deleted = entry.deleting().orElse(now);
            if (deleted.isAfter(now)) {
                // The clock was set back, maybe since an earlier run: the time begins again.
                store(new Entry.CidrEntry(
                        entry.key(), entry.created(), entry.cidrs(), Optional.of(now), entry.written()));
                continue;
            }
            boolean late = !now.isBefore(deleted.plus(grace));
            if (late && keptBy(entry).isEmpty()) {
                ledgerEntries.remove(entry.key());
                removed.add(entry.key());
                for (IpPrefix network : entry.cidrs()) {
                    undo.remove(owners(network), entry.key());
                    refresh(network);
                }
            }
        }
        return removed;
    }

    private List<Entry.CidrEntry> deleting() {
        return ledgerEntries.cidrs().stream()
                .filter(entry -> entry.deleting().isPresent())
                .toList();
    }

    private Optional<Ip> keptBy(Entry.CidrEntry entry) {
        List<IpPrefix> others = new ArrayList<>();
        for (Entry.CidrEntry other : ledgerEntries.cidrs()) {
            if (!other.key().equals(entry.key())) {
                others.addAll(other.cidrs());
            }
        }
        return ServiceCidrRules.keptBy(
                entry.cidrs(),
                others,
                () -> ledgerEntries.addresses().stream()
                        .filter(address -> address.address().managed())
                        .map(address -> address.address().ip())
                        .iterator());
    }

    /** The ServiceCIDRs being deleted, and what keeps them. */
    List<LedgerView.Waiting> waiting() {
        return deleting().stream()
                .map(entry ->
                        new LedgerView.Waiting(entry.key().name(), keptBy(entry).map(Ip::toString)))
                .toList();
    }

    /** Creates the default ServiceCIDR if there is none, and adds the network that only the flags have. */
    void ensureDefault(Instant now, EventLog events) {
        Optional<Entry.CidrEntry> found = ledgerEntries.cidr(DEFAULT);
        if (found.isEmpty()) {
            store(new Entry.CidrEntry(DEFAULT, now, flags, Optional.empty(), false));
            return;
        }
        Entry.CidrEntry entry = found.get();
        if (entry.cidrs().equals(flags) || entry.deleting().isPresent()) {
            return;
        }
        if (entry.cidrs().size() < flags.size()
                && entry.cidrs().equals(flags.subList(0, entry.cidrs().size()))) {
            store(new Entry.CidrEntry(DEFAULT, entry.created(), flags, Optional.empty(), entry.written()));
        } else {
            events.add(
                    DEFAULT,
                    "KubernetesDefaultServiceCIDRInconsistent",
                    "it has " + texts(entry.cidrs()) + " and the flags say " + texts(flags)
                            + "; the present one stays in force. Delete it to have it recreated; it is removed when no address depends on it",
                    now);
        }
    }
}
