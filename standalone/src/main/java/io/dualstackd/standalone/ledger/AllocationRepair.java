package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares Services with the addresses and ports recorded for them, and repairs differences. An address is never taken from a Service: what
 * only an administrator can decide is reported as an event.
 */
final class AllocationRepair {
    /** The minimum age at which an address without its Service is removed; the Service may be recorded later. */
    private static final Duration ORPHAN = Duration.ofSeconds(60);

    private static final Duration YOUNG = Duration.ofSeconds(5);
    /** The number of repair runs in which a port must be seen without a Service before it is released. */
    private static final int LEAKED_PASSES = 3;

    private final LedgerEntries ledgerEntries;
    private final AllocationPools allocationPools;
    private final EventLog events;
    private final Map<Integer, Integer> leaked = new HashMap<>();

    AllocationRepair(LedgerEntries ledgerEntries, AllocationPools allocationPools, EventLog events) {
        this.ledgerEntries = ledgerEntries;
        this.allocationPools = allocationPools;
        this.events = events;
    }

    static Optional<Ip> ipOf(String text) {
        try {
            return Optional.of(Ip.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** {@code Service shop/web}, {@code gateways.example.org/west}. */
    static String words(IpAddress.Parent parent) {
        String name = parent.namespace().isEmpty() ? parent.name() : parent.namespace() + "/" + parent.name();
        return isService(parent)
                ? "Service " + name
                : parent.resource() + (parent.group().isEmpty() ? "" : "." + parent.group()) + " " + name;
    }

    private static boolean isService(IpAddress.Parent parent) {
        return parent.group().isEmpty() && parent.resource().equals("services");
    }

    /** The uid of the Service that the reference names, when it is not the uid in the reference; empty when there is no contradiction. */
    static Optional<String> otherUid(IpAddress.Parent parent, LedgerEntries ledgerEntries) {
        if (parent.uid().isEmpty() || !isService(parent)) {
            return Optional.empty();
        }
        return ledgerEntries
                .service(serviceKey(parent))
                .map(service -> StoredTree.uid(service.object()))
                .filter(uid -> !uid.equals(parent.uid()));
    }

    private static ObjectKey serviceKey(IpAddress.Parent parent) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, parent.namespace(), parent.name());
    }

    private static boolean has(Entry.ServiceEntry service, Ip ip) {
        ServiceFields fields = ServiceFields.of(service.object());
        return fields.needsClusterIps()
                && fields.families().clusterIps().stream()
                        .anyMatch(text -> ipOf(text).equals(Optional.of(ip)));
    }

    /** Whether the address's parent is a Service that is there and has it. */
    static boolean isHeld(Entry.AddressEntry entry, LedgerEntries ledgerEntries) {
        IpAddress address = entry.address();
        return isService(address.parent())
                && otherUid(address.parent(), ledgerEntries).isEmpty()
                && ledgerEntries
                        .service(serviceKey(address.parent()))
                        .filter(service -> has(service, address.ip()))
                        .isPresent();
    }

    /** Checks and repairs all entries once. */
    void run(Instant now) {
        List.copyOf(ledgerEntries.services()).forEach(service -> service(service, now));
        List.copyOf(ledgerEntries.addresses()).forEach(address -> address(address, now));
        leakedPorts();
    }

    private void service(Entry.ServiceEntry service, Instant now) {
        ServiceFields fields = ServiceFields.of(service.object());
        if (fields.needsClusterIps()) {
            fields.families().clusterIps().forEach(text -> clusterIp(service, text, now));
        }
        ServiceAdmission.portsOf(fields).forEach(port -> port(service, port, now));
        if (fields.healthPort() != 0) {
            port(service, fields.healthPort(), now);
        }
    }

    private void clusterIp(Entry.ServiceEntry service, String text, Instant now) {
        Optional<Ip> parsed = ipOf(text);
        if (parsed.isEmpty()) {
            events.add(service.key(), "ClusterIPNotValid", "Cluster IP " + text + " is not a valid address", now);
            return;
        }
        Ip ip = parsed.get();
        Optional<Entry.AddressEntry> found = ledgerEntries.address(ip);
        if (!allocationPools.isInRange(ip)) {
            events.add(
                    service.key(),
                    "ClusterIPOutOfRange",
                    "Cluster IP " + ip + " is in no ServiceCIDR; delete the Service and create it anew",
                    now);
            return;
        }
        if (found.isEmpty()) {
            notAllocated(service, ip, "is not allocated; it is now", now);
            return;
        }
        IpAddress address = found.get().address();
        boolean own = isService(address.parent())
                && serviceKey(address.parent()).equals(service.key())
                && otherUid(address.parent(), ledgerEntries).isEmpty();
        if (own) {
            if (!address.managed()) {
                ledgerEntries.put(ServiceAdmission.address(service.key(), ip, now));
            }
        } else if (isHeld(found.get(), ledgerEntries)) {
            events.add(
                    service.key(),
                    "ClusterIPAlreadyAllocated",
                    "Cluster IP " + ip + " is " + words(address.parent())
                            + "'s; delete one of the two and create it anew",
                    now);
        } else {
            notAllocated(service, ip, "was noted as that of " + words(address.parent()) + "; it is now its own", now);
        }
    }

    private void notAllocated(Entry.ServiceEntry service, Ip ip, String what, Instant now) {
        events.add(service.key(), "ClusterIPNotAllocated", "Cluster IP " + ip + " " + what, now);
        allocationPools.use(ip);
        ledgerEntries.put(ServiceAdmission.address(service.key(), ip, now));
    }

    private void port(Entry.ServiceEntry service, int port, Instant now) {
        Optional<ObjectKey> owner = allocationPools.ownerOf(port);
        if (!allocationPools.isPort(port)) {
            events.add(
                    service.key(),
                    "PortOutOfRange",
                    "Port " + port + " is not within the range of node ports, " + allocationPools.ports(),
                    now);
        } else if (owner.isEmpty()) {
            events.add(service.key(), "PortNotAllocated", "Port " + port + " is not allocated; it is now", now);
            allocationPools.takePort(service.key(), port);
        } else if (!owner.get().equals(service.key())) {
            events.add(
                    service.key(),
                    "PortAlreadyAllocated",
                    "Port " + port + " is " + owner.get() + "'s; one of the two must be changed",
                    now);
        }
    }

    private void address(Entry.AddressEntry entry, Instant now) {
        IpAddress address = entry.address();
        if (!address.managed() || isHeld(entry, ledgerEntries)) {
            return;
        }
        Duration age = Duration.between(entry.created(), now);
        if (!isService(address.parent())) {
            drop(
                    entry,
                    "IPAddressNotAllocated",
                    "belongs to " + words(address.parent()) + ", which is no Service",
                    now);
            return;
        }
        Optional<Entry.ServiceEntry> service = ledgerEntries.service(serviceKey(address.parent()));
        if (service.isEmpty()) {
            if (age.compareTo(ORPHAN) >= 0) {
                drop(entry, "IPAddressNotAllocated", words(address.parent()) + " does not exist", now);
            }
            return;
        }
        Optional<String> recreated = otherUid(address.parent(), ledgerEntries);
        if (recreated.isPresent()) {
            drop(
                    entry,
                    "IPAddressWrongReference",
                    words(address.parent()) + " was created anew: its uid is " + recreated.get() + " and no longer "
                            + address.parent().uid(),
                    now);
            return;
        }
        boolean external = ServiceFields.of(service.get().object()).isExternalName();
        if (age.compareTo(external ? ORPHAN : YOUNG) >= 0) {
            drop(entry, "IPAddressWrongReference", words(address.parent()) + " does not have it", now);
        }
    }

    private void drop(Entry.AddressEntry entry, String reason, String why, Instant now) {
        Ip ip = entry.address().ip();
        events.add(entry.key(), reason, "IPAddress " + ip + ": " + why + "; it is free again", now);
        ledgerEntries.remove(entry.key());
        allocationPools.giveBack(ip);
    }

    private void leakedPorts() {
        Map<Integer, ObjectKey> owners = Map.copyOf(allocationPools.portOwners());
        Set<Integer> unused = new HashSet<>();
        owners.forEach((port, owner) -> {
            if (ledgerEntries
                    .service(owner)
                    .filter(service -> hasPort(service, port))
                    .isEmpty()) {
                unused.add(port);
            }
        });
        leaked.keySet().retainAll(unused);
        for (int port : unused) {
            if (leaked.merge(port, 1, Integer::sum) >= LEAKED_PASSES) {
                ObjectKey owner = owners.get(port);
                if (owner != null) {
                    allocationPools.giveBackPort(owner, port);
                }
            }
        }
    }

    private static boolean hasPort(Entry.ServiceEntry service, int port) {
        ServiceFields fields = ServiceFields.of(service.object());
        return fields.healthPort() == port || ServiceAdmission.portsOf(fields).contains(port);
    }
}
