package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import io.dualstackd.standalone.serviceapi.ServiceRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Derives the objects in force from the objects in files, batch by batch: {@link #admit} works a batch out, and then either {@link #commit}
 * makes it effective, when it is on disk, or {@link #rollback} restores the state before it.
 *
 * <p>Only the current content of files counts, not what it was in between. Used by one thread.
 */
public final class Ledger {
    private static final Duration REPAIR_EVERY = Duration.ofMinutes(3);

    private final Undo undo = new Undo();
    private final LedgerEntries ledgerEntries = new LedgerEntries(undo);
    private final EventLog events = new EventLog(undo);
    private final AllocationPools allocationPools;
    private final ServiceRules rules;
    private final ServiceAdmission serviceAdmission;
    private final ServiceCidrs serviceCidrs;
    private final Reservations reservations;
    private final AllocationRepair allocationRepair;

    /** The current objects in files. */
    private final Map<ObjectKey, ApiObject> written = new HashMap<>();
    /** The objects to look at: they have changed in their files, or could not be admitted yet. */
    private final Set<ObjectKey> open = new HashSet<>();
    /** The objects in files that are not in force. */
    private final SortedMap<ObjectKey, EntryRefusal> refused = new TreeMap<>();

    private Optional<Instant> lastRepair = Optional.empty();

    /**
     * @param random chooses addresses and ports
     * @param stored entries as they were left on disk, consistent or not
     */
    public Ledger(LedgerSettings settings, RandomGenerator random, Collection<Entry> stored) {
        allocationPools = new AllocationPools(settings, random, undo);
        rules = new ServiceRules(settings.families(), settings.semantics());
        serviceAdmission = new ServiceAdmission(rules, random, ledgerEntries, allocationPools, undo);
        serviceCidrs = new ServiceCidrs(settings.ranges(), settings.cidrGrace(), ledgerEntries, allocationPools, undo);
        reservations = new Reservations(ledgerEntries, allocationPools);
        allocationRepair = new AllocationRepair(ledgerEntries, allocationPools, events);
        stored.forEach(this::load);
        commit();
    }

    private void load(Entry entry) {
        switch (entry) {
            case Entry.ServiceEntry stored -> {
                Entry.ServiceEntry service = withLaterFields(stored);
                ledgerEntries.put(service);
                ServiceFields fields = ServiceFields.of(service.object());
                ServiceAdmission.portsOf(fields).forEach(port -> allocationPools.takePort(service.key(), port));
                if (fields.healthPort() != 0) {
                    allocationPools.takePort(service.key(), fields.healthPort());
                }
            }
            case Entry.CidrEntry cidr -> serviceCidrs.load(cidr);
            case Entry.AddressEntry address -> {
                ledgerEntries.put(address);
                allocationPools.use(address.address().ip());
            }
        }
    }

    /** A Service that was stored before it had families: its address is known only when it is in the list of both families. */
    private Entry.ServiceEntry withLaterFields(Entry.ServiceEntry stored) {
        return ServiceFields.of(stored.object()).families().policy().isPresent()
                ? stored
                : new Entry.ServiceEntry(stored.key(), stored.created(), rules.readDefaults(stored.object()));
    }

    /**
     * Works out what follows from the updates, from the time, and from what could not be admitted before.
     *
     * @param version for objects that change; increasing
     * @return the changes; effective only after {@link #commit}
     */
    public List<LedgerChange> admit(List<Update> updates, Instant now, long version) {
        note(updates);
        if (isRepairDue(now)) {
            Optional<Instant> before = lastRepair;
            undo.did(() -> lastRepair = before);
            lastRepair = Optional.of(now);
            serviceCidrs.ensureDefault(now, events);
            allocationRepair.run(now);
        }
        // A file may have another one of the name by now.
        serviceCidrs.due(now).stream().filter(written::containsKey).forEach(key -> undo.add(open, key));
        if (ledgerEntries.cidr(ServiceCidrs.DEFAULT).isEmpty()) {
            serviceCidrs.ensureDefault(now, events);
        }
        work(now, version);
        while (reopened()) {
            work(now, version);
        }
        return ledgerEntries.changes();
    }

    /** Opens what can be admitted now that something was released; returns whether there is any. */
    private boolean reopened() {
        if (allocationPools.freed()) {
            refused.forEach((key, entryRefusal) -> {
                if (entryRefusal.waits()) {
                    undo.add(open, key);
                }
            });
        }
        ledgerEntries.touched().stream().filter(this::isLost).forEach(key -> undo.add(open, key));
        return !open.isEmpty();
    }

    /** Whether an IPAddress of a file was in force and is not any more, because its Service has released the address. */
    private boolean isLost(ObjectKey key) {
        return written.get(key) instanceof IpAddress wanted
                && !refused.containsKey(key)
                && ledgerEntries
                        .address(wanted.ip())
                        .filter(entry -> entry.address().parent().isSame(wanted.parent()))
                        .isEmpty();
    }

    private boolean isRepairDue(Instant now) {
        // A last time in the future was before the clock was set back.
        return lastRepair
                .filter(last -> !last.isAfter(now) && now.isBefore(last.plus(REPAIR_EVERY)))
                .isEmpty();
    }

    /** Records updates without acting on them: the next batch does. */
    public void note(List<Update> updates) {
        for (Update update : updates) {
            switch (update) {
                case Update.Put(WrittenService service) -> note(service);
                case Update.Put(ServiceCidr cidr) -> note(cidr);
                case Update.Put(IpAddress address) -> note(address);
                case Update.Put(Service ignored) -> {}
                case Update.Put(EndpointSlice ignored) -> {}
                case Update.Put(Endpoints ignored) -> {}
                case Update.Put(Node ignored) -> {}
                case Update.Gone(ObjectKey key) -> {
                    if (isOurs(key)) {
                        undo.remove(written, key);
                        undo.add(open, key);
                    }
                }
            }
        }
    }

    private void note(ApiObject object) {
        undo.put(written, object.key(), object);
        undo.add(open, object.key());
    }

    /** Whether a ledger admits objects of this kind. */
    public static boolean isOurs(ObjectKey key) {
        return switch (key.kind()) {
            case SERVICE, SERVICE_CIDR, IP_ADDRESS -> true;
            case ENDPOINT_SLICE, ENDPOINTS, NODE -> false;
        };
    }

    /**
     * Processes objects in this order: removals, then what others depend on, then Services that name their numbers, then Services that
     * accept any number.
     */
    private void work(Instant now, long version) {
        List<ObjectKey> order = open.stream()
                .map(key -> BatchPhase.of(key, Optional.ofNullable(written.get(key))))
                .sorted(BatchPhase.ORDER)
                .map(BatchPhase::key)
                .toList();
        for (ObjectKey key : order) {
            undo.remove(open, key);
            ApiObject object = written.get(key);
            if (object == null) {
                undo.remove(refused, key);
                remove(key, now);
            } else {
                putOrSayWhy(object, now, version)
                        .ifPresentOrElse(
                                entryRefusal -> undo.put(refused, key, entryRefusal), () -> undo.remove(refused, key));
            }
        }
    }

    /** Admits one object. A bug in dualstackd affects only this object, not all. */
    private Optional<EntryRefusal> putOrSayWhy(ApiObject object, Instant now, long version) {
        int mark = undo.mark();
        try {
            return put(object, now, version);
        } catch (RuntimeException e) {
            undo.backTo(mark);
            return Optional.of(EntryRefusal.rule(
                    List.of(new Rejection("", "", "this object makes the program fail, please report it: " + e))));
        }
    }

    private Optional<EntryRefusal> put(ApiObject object, Instant now, long version) {
        return switch (object) {
            case WrittenService(var key, var tree) -> serviceAdmission.put(key, tree, now, version);
            case ServiceCidr cidr -> serviceCidrs.put(cidr, now);
            case IpAddress address -> reservations.put(address, now);
            case Service _, EndpointSlice _, Endpoints _, Node _ -> Optional.empty();
        };
    }

    private void remove(ObjectKey key, Instant now) {
        switch (key.kind()) {
            case SERVICE -> serviceAdmission.remove(key);
            case SERVICE_CIDR -> serviceCidrs.delete(key, now);
            case IP_ADDRESS -> reservations.remove(key);
            case ENDPOINT_SLICE, ENDPOINTS, NODE -> {}
        }
    }

    /** Returns the result of the updates without applying them: allocates and records nothing. Only called between batches. */
    public List<DryRunResult> judge(List<Update> updates, Instant now, long version) {
        Map<ObjectKey, Optional<Entry>> before = new LinkedHashMap<>();
        updates.stream().map(Update::key).filter(Ledger::isOurs).forEach(key -> before.put(key, find(key)));
        LedgerFigures figures = allocationPools.figures();
        try {
            admit(updates, now, version);
            List<DryRunResult> verdicts = new ArrayList<>();
            before.forEach((key, entry) -> {
                EntryRefusal entryRefusal = refused.get(key);
                verdicts.add(
                        entryRefusal == null
                                ? new DryRunResult.Accepted(key, entry, find(key))
                                : new DryRunResult.Refused(key, complete(key, entryRefusal, now)));
            });
            return verdicts;
        } finally {
            // Also after an exception: the next batch would put in force what was only asked.
            rollback();
            allocationPools.forgetQuestionsSince(figures);
        }
    }

    /** The refusal with what is wrong with the numbers, which admission does not look at when a rule is broken. */
    private EntryRefusal complete(ObjectKey key, EntryRefusal refusal, Instant now) {
        if (refusal.waits() || !(written.get(key) instanceof WrittenService(var _, var tree))) {
            return refusal;
        }
        List<Rejection> all = new ArrayList<>(refusal.rejections());
        all.addAll(serviceAdmission.numbers(key, tree, refusal.rejections(), now));
        return EntryRefusal.rule(all);
    }

    /** The entries that came from files and are in none now; without those that the ledger created itself. */
    public List<ObjectKey> unsaid(Predicate<ObjectKey> claimed) {
        Set<ObjectKey> keys = new HashSet<>();
        ledgerEntries.services().forEach(entry -> keys.add(entry.key()));
        ledgerEntries.cidrs().stream()
                .filter(entry -> entry.written() && entry.deleting().isEmpty())
                .forEach(entry -> keys.add(entry.key()));
        ledgerEntries.addresses().stream()
                .filter(entry -> !entry.address().managed())
                .forEach(entry -> keys.add(entry.key()));
        keys.removeIf(key -> written.containsKey(key) || claimed.test(key));
        return List.copyOf(keys);
    }

    /** Makes the batch effective; called when it is on disk. */
    public void commit() {
        undo.forget();
        ledgerEntries.begin();
    }

    /** Undoes the batch: it was a dry run, or could not be written. */
    public void rollback() {
        undo.backTo(0);
        ledgerEntries.begin();
        allocationPools.freed();
    }

    /** The objects in files that are not in force. */
    public SortedMap<ObjectKey, EntryRefusal> refused() {
        return Collections.unmodifiableSortedMap(refused);
    }

    public Optional<Entry> find(ObjectKey key) {
        return ledgerEntries.find(key);
    }

    /** Events of the last hour, the newest last. */
    public List<Event> events(Instant now) {
        events.trim(now);
        return events.all();
    }

    /** ServiceCIDRs that are being deleted. */
    public List<LedgerView.Waiting> waiting() {
        return serviceCidrs.waiting();
    }

    /** The use of each network. */
    public List<AddressPool.Fill> ranges() {
        return allocationPools.fill();
    }

    /** The number of addresses and ports allocated since the start, and of those left. */
    public LedgerFigures figures() {
        return allocationPools.figures();
    }
}
