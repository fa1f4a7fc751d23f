package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.allocation.AllocationFailure;
import io.dualstackd.standalone.serviceapi.NodePortRules;
import io.dualstackd.standalone.serviceapi.PortFields;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import io.dualstackd.standalone.serviceapi.ServiceRules;
import io.dualstackd.standalone.serviceapi.ServiceTree;
import io.dualstackd.standalone.serviceapi.Violations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Admits, changes and removes Services, and with them the numbers they hold. */
final class ServiceAdmission {
    private static final String CLUSTER_IPS = "spec.clusterIPs";
    private static final String HEALTH_PORT = "spec.healthCheckNodePort";

    private final ServiceRules rules;
    private final RandomGenerator random;
    private final LedgerEntries ledgerEntries;
    private final AllocationPools allocationPools;
    private final Undo undo;

    ServiceAdmission(
            ServiceRules rules,
            RandomGenerator random,
            LedgerEntries ledgerEntries,
            AllocationPools allocationPools,
            Undo undo) {
        this.rules = rules;
        this.random = random;
        this.ledgerEntries = ledgerEntries;
        this.allocationPools = allocationPools;
        this.undo = undo;
    }

    /** Thrown when a number cannot be allocated, or the object cannot be stored. */
    private static final class Denied extends Exception {
        private static final long serialVersionUID = 1;
        private final transient EntryRefusal entryRefusal;

        Denied(EntryRefusal entryRefusal) {
            super("", null, false, false);
            this.entryRefusal = entryRefusal;
        }
    }

    /** Admits a Service as it is written; empty when it is in force now. After a refusal nothing has changed. */
    Optional<EntryRefusal> put(ObjectKey key, Tree.Mapping given, Instant now, long version) {
        if (StoredTree.isTooLarge(given)) {
            return Optional.of(EntryRefusal.rule(List.of(new Rejection(
                    "",
                    "",
                    "the object has more than " + StoredTree.MAX_CHARACTERS
                            + " characters, which is the limit of an API server"))));
        }
        Optional<Entry.ServiceEntry> old = ledgerEntries.service(key);
        ServiceRules.Answer answer =
                old.map(entry -> rules.update(given, entry.object())).orElseGet(() -> rules.create(given));
        return switch (answer) {
            case ServiceRules.Answer.Rejected(List<Rejection> rejections) -> Optional.of(EntryRefusal.rule(rejections));
            case ServiceRules.Answer.Settled settled -> {
                int mark = undo.mark();
                Optional<EntryRefusal> refusal = numbered(key, settled, old, now, version);
                if (refusal.isPresent()) {
                    undo.backTo(mark);
                }
                yield refusal;
            }
        };
    }

    /**
     * Why the numbers that a refused Service names cannot be allocated either. Nothing changes.
     *
     * @param known what is wrong with it; numbers in these fields are left out
     */
    List<Rejection> numbers(ObjectKey key, Tree.Mapping given, List<Rejection> known, Instant now) {
        ServiceFields fields = ServiceFields.of(given);
        Optional<ServiceFields> before = ledgerEntries.service(key).map(entry -> ServiceFields.of(entry.object()));
        List<Rejection> wrong = new ArrayList<>();
        int mark = undo.mark();
        if (fields.needsClusterIps() && known.stream().noneMatch(rejection -> isAbout(rejection, "spec.clusterIP"))) {
            Set<Ip> held = Set.copyOf(before.map(ServiceAdmission::addressesOf).orElse(List.of()));
            List<String> written = fields.families().clusterIps().isEmpty()
                    ? List.of(fields.families().clusterIp())
                    : fields.families().clusterIps();
            for (int i = 0; i < written.size(); i++) {
                int index = i;
                AllocationRepair.ipOf(written.get(i))
                        .filter(ip -> !held.contains(ip))
                        .ifPresent(ip -> wrong.addAll(denied(() -> named(key, index, ip, now))));
            }
        }
        if (fields.mayHaveNodePorts()) {
            Set<Integer> seen =
                    new HashSet<>(before.map(ServiceAdmission::portsOf).orElse(Set.of()));
            for (int i = 0; i < fields.ports().size(); i++) {
                int port = fields.ports().get(i).nodePort();
                String path = "spec.ports[" + i + "].nodePort";
                if (port != 0 && seen.add(port) && known.stream().noneMatch(rejection -> isAbout(rejection, path))) {
                    allocationPools
                            .takePort(key, port)
                            .ifPresent(rule -> wrong.add(new Rejection(path, Integer.toString(port), rule)));
                }
            }
        }
        undo.backTo(mark);
        return wrong;
    }

    private static boolean isAbout(Rejection rejection, String path) {
        return rejection.field().startsWith(path) || Violations.contains(rejection.field(), path);
    }

    private interface Allocation {
        void run() throws Denied;
    }

    private static List<Rejection> denied(Allocation allocation) {
        try {
            allocation.run();
            return List.of();
        } catch (Denied e) {
            return e.entryRefusal.rejections();
        }
    }

    private Optional<EntryRefusal> numbered(
            ObjectKey key,
            ServiceRules.Answer.Settled settled,
            Optional<Entry.ServiceEntry> old,
            Instant now,
            long version) {
        ServiceFields fields = settled.fields();
        Optional<ServiceFields> before = old.map(entry -> ServiceFields.of(entry.object()));
        try {
            List<String> ips = addresses(key, fields, before, now);
            // A number that is named comes first, as otherwise the random choice of a node port might take it; one that
            // was
            // a node port of the Service is free only after that choice.
            boolean first = fields.needsHealthPort() && isFreeHealthPort(fields);
            int named = first ? healthPort(key, fields, before) : 0;
            List<PortFields> ports = ports(key, fields, before);
            int health = first ? named : healthPort(key, fields, before);
            Tree.Mapping object = ServiceTree.with(settled.object(), ips, ports, health);
            Tree.Mapping stored = old.map(entry -> StoredTree.again(object, key, entry.object(), version))
                    .orElseGet(() -> StoredTree.created(object, key, uid(), now, version));
            if (StoredTree.isTooLong(stored)) {
                throw new Denied(EntryRefusal.rule(List.of(new Rejection(
                        "", "", "the object takes more than " + StoredTree.MAX_BYTES + " bytes as it is stored"))));
            }
            ledgerEntries.put(new Entry.ServiceEntry(
                    key, old.map(Entry.ServiceEntry::created).orElse(now), stored));
            return Optional.empty();
        } catch (Denied e) {
            return Optional.of(e.entryRefusal);
        }
    }

    private String uid() {
        // As a random UUID (RFC 9562 §5.4).
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return "%08x-%04x-%04x-%04x-%012x"
                .formatted(high >>> 32, high >>> 16 & 0xffff, high & 0xffff, low >>> 48, low & 0xffff_ffff_ffffL);
    }

    private static List<Ip> addressesOf(ServiceFields fields) {
        if (!fields.needsClusterIps()) {
            return List.of();
        }
        List<Ip> ips = new ArrayList<>();
        fields.families()
                .clusterIps()
                .forEach(text -> AllocationRepair.ipOf(text).ifPresent(ips::add));
        return ips;
    }

    private List<String> addresses(ObjectKey key, ServiceFields fields, Optional<ServiceFields> before, Instant now)
            throws Denied {
        List<Ip> released =
                new ArrayList<>(before.map(ServiceAdmission::addressesOf).orElse(List.of()));
        List<String> ips = new ArrayList<>(fields.families().clusterIps());
        if (fields.needsClusterIps()) {
            List<IpFamily> families = fields.families().ipFamilies();
            for (int i = 0; i < Math.max(families.size(), ips.size()); i++) {
                if (i >= ips.size()) {
                    ips.add(any(key, families.get(i), now));
                } else {
                    Ip wanted = Ip.parse(ips.get(i));
                    if (!released.remove(wanted)) {
                        named(key, i, wanted, now);
                    }
                }
            }
        }
        released.forEach(ip -> release(key, ip));
        return ips;
    }

    private String any(ObjectKey key, IpFamily family, Instant now) throws Denied {
        Optional<Ip> kept = allocationPools.kept(family).filter(ip -> isKubernetes(key) && isFree(ip));
        if (kept.isPresent()) {
            ledgerEntries.put(address(key, kept.get(), now));
            return kept.get().toString();
        }
        return switch (allocationPools.take(family)) {
            case AddressPool.Answer.Given(Ip ip) -> {
                ledgerEntries.put(address(key, ip, now));
                yield ip.toString();
            }
            case AddressPool.Answer.Denied(AllocationFailure reason) ->
                throw new Denied(EntryRefusal.number(CLUSTER_IPS, "", "failed to allocate an address: " + reason));
        };
    }

    private static boolean isKubernetes(ObjectKey key) {
        return key.namespace().equals("default") && key.name().equals("kubernetes");
    }

    /** Whether no Service has an address that is kept for one. */
    private boolean isFree(Ip ip) {
        return ledgerEntries.address(ip).isEmpty();
    }

    private void named(ObjectKey key, int index, Ip ip, Instant now) throws Denied {
        if (allocationPools.isKept(ip) && isFree(ip)) {
            if (!isKubernetes(key)) {
                throw new Denied(EntryRefusal.rule(List.of(new Rejection(
                        CLUSTER_IPS + "[" + index + "]",
                        ip.toString(),
                        "failed to allocate it: the first address of the range is kept for Service default/kubernetes;"
                                + " --keep-kubernetes-service-ip=false changes that"))));
            }
            ledgerEntries.put(address(key, ip, now));
            return;
        }
        if (allocationPools.take(ip) instanceof AddressPool.Answer.Denied(AllocationFailure reason)) {
            String owner = ledgerEntries
                    .address(ip)
                    .map(entry ->
                            " to " + AllocationRepair.words(entry.address().parent()))
                    .orElse("");
            throw new Denied(EntryRefusal.number(
                    CLUSTER_IPS + "[" + index + "]",
                    ip.toString(),
                    "failed to allocate it: " + reason
                            + (reason instanceof AllocationFailure.AlreadyAllocated ? owner : "")));
        }
        ledgerEntries.put(address(key, ip, now));
    }

    static Entry.AddressEntry address(ObjectKey service, Ip ip, Instant now) {
        return new Entry.AddressEntry(
                now, new IpAddress(ip, IpAddress.Parent.service(service.namespace(), service.name()), true));
    }

    /** Releases an address of the Service; one that another Service was stored with, too, stays with that one. */
    private void release(ObjectKey key, Ip ip) {
        boolean own = ledgerEntries
                .address(ip)
                .filter(entry -> entry.address().parent().isSame(IpAddress.Parent.service(key.namespace(), key.name())))
                .isPresent();
        if (own) {
            ledgerEntries.remove(new ObjectKey(ObjectKey.Kind.IP_ADDRESS, "", ip.toString()));
            allocationPools.giveBack(ip);
        }
    }

    static Set<Integer> portsOf(ServiceFields fields) {
        Set<Integer> ports = new HashSet<>();
        fields.ports().forEach(port -> ports.add(port.nodePort()));
        ports.remove(0);
        return ports;
    }

    private List<PortFields> ports(ObjectKey key, ServiceFields fields, Optional<ServiceFields> before) throws Denied {
        Set<Integer> held = before.map(ServiceAdmission::portsOf).orElse(Set.of());
        if (!fields.mayHaveNodePorts()) {
            held.forEach(port -> allocationPools.giveBackPort(key, port));
            return fields.ports();
        }
        return switch (allocationPools.ports(key, fields, held, before.isEmpty())) {
            case NodePortRules.Answer.Given given -> given.ports();
            case NodePortRules.Answer.Denied(Rejection rejection) ->
                throw new Denied(new EntryRefusal(
                        List.of(rejection),
                        rejection.value().isEmpty() || rejection.rule().startsWith(NodePortRules.ALLOCATED)));
        };
    }

    /** Whether the number may become free: one outside the range never does. */
    private boolean isNodePort(String number) {
        return allocationPools.isNodePort(Integer.parseInt(number));
    }

    private boolean isFreeHealthPort(ServiceFields fields) throws Denied {
        int wanted = fields.healthPort();
        if (wanted != 0 && portsOf(fields).contains(wanted)) {
            throw new Denied(EntryRefusal.rule(List.of(new Rejection(
                    HEALTH_PORT, Integer.toString(wanted), "is a node port of the Service, too; name another one"))));
        }
        return wanted != 0 && allocationPools.ownerOf(wanted).isEmpty();
    }

    private int healthPort(ObjectKey key, ServiceFields fields, Optional<ServiceFields> before) throws Denied {
        int held = before.map(ServiceFields::healthPort).orElse(0);
        if (!fields.needsHealthPort()) {
            allocationPools.giveBackPort(key, held);
            return 0;
        }
        int wanted = fields.healthPort();
        if (wanted == 0) {
            if (held != 0) {
                return held;
            }
            OptionalInt free = allocationPools.takePort(key);
            return free.orElseThrow(() -> new Denied(EntryRefusal.number(
                    HEALTH_PORT, "", "no node port is free: all of " + allocationPools.ports() + " are allocated")));
        }
        if (wanted != held) {
            Optional<String> against = allocationPools.takePort(key, wanted);
            if (against.isPresent()) {
                String value = Integer.toString(wanted);
                throw new Denied(
                        new EntryRefusal(List.of(new Rejection(HEALTH_PORT, value, against.get())), isNodePort(value)));
            }
            allocationPools.giveBackPort(key, held);
        }
        return wanted;
    }

    /** Removes the Service and releases its numbers. */
    void remove(ObjectKey key) {
        ledgerEntries.service(key).ifPresent(entry -> {
            ServiceFields fields = ServiceFields.of(entry.object());
            addressesOf(fields).forEach(ip -> release(key, ip));
            portsOf(fields).forEach(port -> allocationPools.giveBackPort(key, port));
            allocationPools.giveBackPort(key, fields.healthPort());
            ledgerEntries.remove(key);
            // Also without numbers: an IPAddress may wait for the Service to be gone.
            allocationPools.nowFreed();
        });
    }
}
