package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The entries of a ledger, and how they differ from those at the beginning of the batch. */
final class LedgerEntries {
    private final Undo undo;
    private final SortedMap<ObjectKey, Entry.ServiceEntry> services = new TreeMap<>();
    private final SortedMap<ObjectKey, Entry.CidrEntry> cidrs = new TreeMap<>();
    private final SortedMap<ObjectKey, Entry.AddressEntry> addresses = new TreeMap<>();
    /** The previous entry of each key that was changed since the batch began. */
    private final Map<ObjectKey, Optional<Entry>> before = new LinkedHashMap<>();

    LedgerEntries(Undo undo) {
        this.undo = undo;
    }

    Optional<Entry.ServiceEntry> service(ObjectKey key) {
        return Optional.ofNullable(services.get(key));
    }

    Optional<Entry.CidrEntry> cidr(ObjectKey key) {
        return Optional.ofNullable(cidrs.get(key));
    }

    Optional<Entry.AddressEntry> address(Ip ip) {
        return Optional.ofNullable(addresses.get(new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip.toString())));
    }

    Collection<Entry.ServiceEntry> services() {
        return Collections.unmodifiableCollection(services.values());
    }

    Collection<Entry.CidrEntry> cidrs() {
        return Collections.unmodifiableCollection(cidrs.values());
    }

    Collection<Entry.AddressEntry> addresses() {
        return Collections.unmodifiableCollection(addresses.values());
    }

    void put(Entry entry) {
        touch(entry.key());
        switch (entry) {
            case Entry.ServiceEntry service -> undo.put(services, service.key(), service);
            case Entry.CidrEntry cidr -> undo.put(cidrs, cidr.key(), cidr);
            case Entry.AddressEntry address -> undo.put(addresses, address.key(), address);
        }
    }

    void remove(ObjectKey key) {
        touch(key);
        undo.remove(map(key), key);
    }

    private void touch(ObjectKey key) {
        before.computeIfAbsent(key, this::find);
    }

    Optional<Entry> find(ObjectKey key) {
        return Optional.ofNullable(map(key).get(key));
    }

    private SortedMap<ObjectKey, ? extends Entry> map(ObjectKey key) {
        return switch (key.kind()) {
            case SERVICE -> services;
            case SERVICE_CIDR -> cidrs;
            case IP_ADDRESS -> addresses;
            case ENDPOINT_SLICE, ENDPOINTS, NODE ->
                throw new IllegalArgumentException(key + " is nothing a ledger holds");
        };
    }

    /** The changes of the batch so far. */
    List<LedgerChange> changes() {
        List<LedgerChange> changes = new ArrayList<>();
        before.forEach((key, old) -> {
            Optional<Entry> now = find(key);
            if (!now.equals(old)) {
                changes.add(now.<LedgerChange>map(LedgerChange.Put::new).orElseGet(() -> new LedgerChange.Gone(key)));
            }
        });
        return changes;
    }

    /** The keys of entries that the batch has added, changed or removed so far. */
    Set<ObjectKey> touched() {
        return Set.copyOf(before.keySet());
    }

    /** Begins a new batch. */
    void begin() {
        before.clear();
    }
}
