package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.Work;
import io.dualstackd.dataplane.diff.SyncTotals;
import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.Checkpoint;
import io.dualstackd.dataplane.diff.elements.DestinationConflicts;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.ElementCounters;
import io.dualstackd.dataplane.diff.elements.EndpointCounters;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableDraft;
import io.dualstackd.dataplane.io.RefusalSearch.Answer;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.nftables.ElementCompiler;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.dataplane.rules.nftables.TableChains;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.wire.Bytes;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The reconciler of nftables mode: applies {@link io.dualstackd.dataplane.diff.elements.TableDraft}s to a kernel. */
public final class NftablesSyncer implements Syncer {
    /** The bytes of a first load that make a transaction of their own; both families load at the same time. */
    private static final int AHEAD = 1 << 20;

    private final TableForm form;
    private final IpFamily family;
    private final TableKernel kernel;
    private final Optional<CheckpointFile> checkpointFile;
    private final FirstReading firstReading;
    private final TableLoad.Maker loads;
    private final ElementCounters counters;
    private final Optional<EndpointCounters> endpointCounters;

    private final SyncTotals syncTotals = new SyncTotals();
    private final LeftOutServices<byte[]> leftOut = new LeftOutServices<>(packed -> packed.length == 0);
    private final Refusals refusals = leftOut.refusals();
    /** The packed Services that change in this sync, as they were before it. */
    private Map<ServiceKey, byte[]> before = new HashMap<>();

    private @Nullable Planner current;
    private @Nullable AppliedTable appliedTable;
    private DirtyObjects dirtyObjects;

    /** @param print the one the kernel reads rules with */
    public NftablesSyncer(IpFamily family, TableKernel kernel, ExpressionPrint print) {
        this(family, kernel, print, AHEAD);
    }

    /** @param ahead bytes of a first load that are sent ahead in a transaction of their own */
    NftablesSyncer(IpFamily family, TableKernel kernel, ExpressionPrint print, int ahead) {
        this(TableForm.plain(family), kernel, print, ahead, Optional.empty());
    }

    /**
     * @param form the one the kernel reads the table with
     * @param ahead bytes of a first load that are sent ahead in a transaction of their own
     * @param checkpointFile empty when the next process gets no checkpoint
     */
    private NftablesSyncer(
            TableForm form,
            TableKernel kernel,
            ExpressionPrint print,
            int ahead,
            Optional<CheckpointFile> checkpointFile) {
        this.form = form;
        this.family = form.family();
        this.kernel = kernel;
        this.counters = new ElementCounters(family);
        this.endpointCounters = form.countsEndpoints() ? Optional.of(new EndpointCounters(family)) : Optional.empty();
        this.loads = new TableLoad.Maker(form, kernel, print, ahead, counters);
        this.dirtyObjects = new DirtyObjects(family);
        this.checkpointFile = checkpointFile;
        this.firstReading = new FirstReading(form, kernel, checkpointFile);
    }

    /** As {@link #of(TableForm, NetlinkKernel.Open)}, for a table of the usual form. */
    public static NftablesSyncer of(IpFamily family, NetlinkKernel.Open open) {
        return of(TableForm.plain(family), open);
    }

    /** A reconciler that is alone in its namespace, and makes no checkpoint. */
    public static NftablesSyncer of(TableForm form, NetlinkKernel.Open open) {
        return of(form, open, new Generations(), new RuleSetGate(), Optional.empty());
    }

    /**
     * The reconciler of one family on a real kernel. Each has a fingerprint key of its own.
     *
     * @param generations shared with the other reconcilers of this namespace, and with the watcher of external changes
     * @param ruleSetGate shared with the other reconcilers of this namespace
     * @param checkpointFile from the former process, and for the next one; empty for no checkpoint
     */
    public static NftablesSyncer of(
            TableForm form,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate,
            Optional<CheckpointFile> checkpointFile) {
        SecureRandom random = new SecureRandom();
        ExpressionPrint print = new ExpressionPrint(new PrintKey(random.nextLong(), random.nextLong()));
        return new NftablesSyncer(
                form,
                new NetlinkTableKernel(form, print, open, generations, ruleSetGate),
                print,
                AHEAD,
                checkpointFile);
    }

    /** The counters of the elements; elements that are added again start to count from what was last read. */
    public ElementCounters counters() {
        return counters;
    }

    /** The counters of the endpoints, where the table has them. */
    public Optional<EndpointCounters> endpointCounters() {
        return endpointCounters;
    }

    @Override
    public void readAhead() {
        try {
            firstReading.read();
        } finally {
            kernel.done();
        }
    }

    @Override
    public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
        try {
            SyncResult report = sync(planner, changed, services);
            return leftOut.needsSearch(report) ? leftOut.search(new Search(planner, services)) : report;
        } finally {
            kernel.done();
        }
    }

    private SyncResult sync(Planner now, Set<ServiceKey> changed, ServicePlans services) {
        if (leftOut.retry(changed)) {
            invalidateAll();
        }
        Planner before = current;
        current = now;
        AppliedTable known = appliedTable;
        if (known == null || before == null) {
            Optional<FirstReading.Resumable> resumable = firstReading.takeResumable();
            return resumable.isPresent() ? resume(resumable.get(), now, services) : compareAll(now, services);
        }
        if (dirtyObjects.isEmpty()) {
            return changeOnly(now, before, changed, services, known);
        }
        SyncResult repaired = repair(before, services, known);
        boolean enough = repaired.needsRetry() || (changed.isEmpty() && now.plansAs(before));
        // The repair may have compared everything, and made another applied state.
        AppliedTable after = appliedTable;
        return enough || after == null
                ? repaired
                : changeOnly(now, before, changed, services, after).after(repaired);
    }

    @Override
    public void invalidate(Set<ChangedObject> changes) {
        dirtyObjects.add(changes);
        AppliedTable known = appliedTable;
        Planner planner = current;
        if (known == null || planner == null || dirtyObjects.tooMuch()) {
            invalidateAll();
        } else if (changes.stream().anyMatch(change -> mayBeRenamed(change, known))) {
            TableChains.of(planner.nodePlan()).forEach(chain -> dirtyObjects.addChain(chain.name()));
        }
    }

    /**
     * Whether a chain of another name may be missing: the kernel reports one that was renamed by its new name only. Chains that are not
     * constant need no look: others lead to them, so the kernel refuses the repair, and then everything is compared.
     */
    private static boolean mayBeRenamed(ChangedObject change, AppliedTable known) {
        return change instanceof ChangedObject.InChain(ChainName chain) && !known.hasChain(chain.name());
    }

    /** Reads and repairs only the objects that another program changed. */
    private SyncResult repair(Planner planner, ServicePlans services, AppliedTable known) {
        DirtyObjects dirty = dirtyObjects;
        dirtyObjects = new DirtyObjects(family);
        // A repair changes no Service.
        before = new HashMap<>();
        return switch (kernel.readDirty(dirty)) {
            case ReadResult.Failed(String reason) -> {
                invalidateAll();
                yield unread(reason, false);
            }
            case ReadResult.Found(ReadBack readBack) -> {
                Map<ServiceKey, byte[]> accepted = leftOut.accepted(known::packed);
                try (TableLoad load = loads.change(known)) {
                    TableDraft draft = load.draft();
                    Set<ServiceKey> concerned = draft.repair(
                            readBack, planner.nodePlan(), (owner, set, key) -> comment(owner, set, key, services));
                    // The applied elements of a Service that is left out cannot be written again, only found.
                    boolean impossible = concerned.stream().anyMatch(refusals::leftOut);
                    if (!impossible) {
                        concerned.forEach(
                                key -> services.find(key).ifPresent(service -> draft.service(key, compile(service))));
                        // A destination that moves to one of them is still that of its former owner.
                        impossible = draft.disputed();
                    }
                    if (impossible) {
                        invalidateAll();
                        leftOut.keep(accepted);
                        yield compareAll(planner, services);
                    }
                    yield commit(load, false);
                }
            }
        };
    }

    private String comment(ServiceKey owner, String set, Bytes key, ServicePlans services) {
        return services.find(owner)
                .map(service -> compile(service).comment(set, key))
                .orElse("");
    }

    @Override
    public void invalidateAll() {
        if (appliedTable != null) {
            leftOut.keep(leftOut.accepted(appliedTable::packed));
        }
        appliedTable = null;
        firstReading.drop();
        dirtyObjects = new DirtyObjects(family);
    }

    @Override
    public boolean changedByOthers() {
        return appliedTable != null && kernel.changedByOthers();
    }

    @Override
    public void retryRefused() {
        invalidateAll();
        refusals.retryAll();
    }

    @Override
    public int warmUp(int rounds, BooleanSupplier enough) {
        return new WarmUp(family, kernel, loads.print()).run(rounds, enough);
    }

    @Override
    public void saveCheckpoint(BooleanSupplier toRepair) {
        AppliedTable known = appliedTable;
        if (checkpointFile.isPresent()
                && known != null
                && dirtyObjects.isEmpty()
                && refusals.leftOut().isEmpty()) {
            kernel.knownGeneration().stream()
                    .filter(generation -> !toRepair.getAsBoolean())
                    .forEach(generation -> checkpointFile.get().write(form, generation, known));
        }
    }

    @Override
    public void close() {
        kernel.close();
    }

    /** Compares with a checkpoint. When the result is refused, or two Services want one destination, all is read and compared. */
    private SyncResult resume(FirstReading.Resumable resumable, Planner planner, ServicePlans services) {
        before = new HashMap<>();
        syncTotals.clear();
        dirtyObjects = new DirtyObjects(family);
        Checkpoint checkpoint = resumable.checkpoint();
        SyncResult resumed = unread("not resumed", true);
        try (TableLoad load = loads.resume(checkpoint.applied(), resumable.frame())) {
            TableDraft draft = load.draft();
            draft.node(planner.nodePlan());
            services.forEach(service -> {
                syncTotals.put(service);
                draft.resume(service.key(), checkpoint.take(service.key()), ElementCompiler.compile(service));
            });
            checkpoint.rest((key, packed) -> draft.resume(key, packed, ServiceElements.NOTHING));
            endpointCounters.ifPresent(each -> each.retain(syncTotals.services()));
            if (!draft.disputed()) {
                resumed = commit(load, true);
                if (!(resumed.result() instanceof Result.Refused)) {
                    return resumed;
                }
            }
        }
        invalidateAll();
        return compareAll(planner, services).after(resumed);
    }

    private SyncResult compareAll(Planner planner, ServicePlans services) {
        return compareAll(planner, services, DestinationConflicts.none());
    }

    private SyncResult compareAll(Planner planner, ServicePlans services, DestinationConflicts destinationConflicts) {
        before = new HashMap<>();
        dirtyObjects = new DirtyObjects(family);
        return switch (firstReading.takeContent()) {
            case ReadResult.Failed(String reason) -> unread(reason, true);
            case ReadResult.Found(TableContent content) -> {
                try (TableLoad load = loads.comparison(content, destinationConflicts)) {
                    draftAll(load, planner, services);
                    yield load.draft().disputed() ? settle(load, planner, services, content) : commit(load, true);
                }
            }
        };
    }

    /** Resolves destinations that several Services want: queries all Services and starts again, from what was sent ahead meanwhile. */
    private SyncResult settle(TableLoad disputed, Planner planner, ServicePlans services, TableContent content) {
        // It may hold all of a first load, and none of it is right.
        disputed.close();
        DestinationConflicts destinationConflicts = DestinationConflicts.in(disputed.applied());
        services.forEach(service -> destinationConflicts.add(service.key(), compile(service)));
        return switch (disputed.wentAhead() ? kernel.read() : new ReadResult.Found<>(content)) {
            case ReadResult.Failed(String reason) -> unread(reason, true);
            case ReadResult.Found(TableContent now) -> {
                try (TableLoad load = loads.comparison(now, destinationConflicts)) {
                    load.after(disputed);
                    draftAll(load, planner, services);
                    yield commit(load, true);
                }
            }
        };
    }

    private void draftAll(TableLoad load, Planner planner, ServicePlans services) {
        syncTotals.clear();
        leftOut.compareAll();
        load.draft().node(planner.nodePlan());
        services.forEach(service -> {
            syncTotals.put(service);
            ServiceKey key = service.key();
            if (!load.goesOn()) {
                leftOut.suspect(key);
            } else if (leftOut.skips(key)) {
                load.draft().keep(key, leftOut.accepted(key), ElementCompiler.compile(service));
                load.goAhead();
            } else {
                int steps = load.draft().stepsSoFar();
                load.draft().service(key, ElementCompiler.compile(service));
                if (load.draft().stepsSoFar() > steps) {
                    leftOut.suspect(key);
                }
                load.goAhead();
            }
        });
        endpointCounters.ifPresent(each -> each.retain(syncTotals.services()));
    }

    /** Sends the changes of groups of Services, to find the one that the kernel refuses. */
    private final class Search implements LeftOutServices.Search {
        private final Planner planner;
        private final ServicePlans services;
        private SyncResult sum = unread("not begun", true);

        Search(Planner planner, ServicePlans services) {
            this.planner = planner;
            this.services = services;
        }

        @Override
        public SyncResult compareOthers() {
            DestinationConflicts conflicts = DestinationConflicts.among(
                    each -> services.forEach(service -> each.accept(service.key(), compile(service))));
            sum = NftablesSyncer.this.compareAll(planner, services, conflicts);
            return sum;
        }

        @Override
        public SyncResult compareAll() {
            invalidateAll();
            return NftablesSyncer.this.compareAll(planner, services).after(sum);
        }

        @Override
        public SyncResult failed(Result result) {
            invalidateAll();
            return report(result, true, Work.NONE).after(sum);
        }

        @Override
        public Answer of(List<ServiceKey> group) {
            if (appliedTable == null) {
                throw new IllegalStateException("a search goes on from what is in force");
            }
            AppliedTable next = appliedTable.copy();
            try (TableLoad load = loads.change(next)) {
                group.forEach(key -> load.draft()
                        .service(
                                key,
                                services.find(key).map(ElementCompiler::compile).orElse(ServiceElements.NOTHING)));
                if (load.draft().disputed()) {
                    return new Answer.Waits();
                }
                return switch (load.commit()) {
                    case Result.InForce result -> {
                        appliedTable = next;
                        leftOut.taken(group);
                        sum = report(result, true, load.work()).after(sum);
                        yield new Answer.Taken();
                    }
                    case Result.Refused(var refused) -> new Answer.Refused(refused);
                    case Result.Outdated result -> new Answer.Failed(result);
                    case Result.Unreachable result -> new Answer.Failed(result);
                };
            }
        }
    }

    private SyncResult changeOnly(
            Planner planner, Planner past, Set<ServiceKey> changed, ServicePlans services, AppliedTable known) {
        before = new HashMap<>();
        try (TableLoad load = loads.change(known)) {
            TableDraft draft = load.draft();
            if (!planner.nodePlan().equals(past.nodePlan())) {
                draft.node(planner.nodePlan());
            }
            if (!planner.plansServicesAs(past)) {
                Set<ServiceKey> gone = new HashSet<>(syncTotals.services());
                services.forEach(service -> {
                    gone.remove(service.key());
                    change(service, known, draft);
                });
                gone.forEach(key -> remove(key, known, draft));
            } else {
                for (ServiceKey key : changed) {
                    services.find(key)
                            .ifPresentOrElse(service -> change(service, known, draft), () -> remove(key, known, draft));
                }
            }
            if (!draft.disputed()) {
                return commit(load, false);
            }
        }
        invalidateAll();
        return compareAll(planner, services);
    }

    private void change(ServicePlan service, AppliedTable known, TableDraft draft) {
        syncTotals.put(service);
        if (!refusals.leftOut(service.key())) {
            before.put(service.key(), known.packed(service.key()));
            draft.service(service.key(), ElementCompiler.compile(service));
        }
    }

    private ServiceElements compile(ServicePlan service) {
        return refusals.leftOut(service.key()) ? ServiceElements.NOTHING : ElementCompiler.compile(service);
    }

    private void remove(ServiceKey key, AppliedTable known, TableDraft draft) {
        syncTotals.remove(key);
        endpointCounters.ifPresent(each -> each.forget(key));
        before.put(key, known.packed(key));
        draft.service(key, ServiceElements.NOTHING);
    }

    private SyncResult commit(TableLoad load, boolean comparedAll) {
        invalidateAll();
        Result result = load.commit();
        if (result instanceof Result.InForce) {
            appliedTable = load.applied();
            leftOut.settled();
        } else if (result instanceof Result.Refused(List<Refusal> refused)) {
            leftOut.keep(before);
            refusals.note(refused);
        }
        return report(result, comparedAll, load.work());
    }

    private SyncResult unread(String reason, boolean comparedAll) {
        return report(new Result.Unreachable(reason), comparedAll, Work.NONE);
    }

    private SyncResult report(Result result, boolean comparedAll, Work work) {
        AppliedTable known = appliedTable;
        return new SyncResult(
                result,
                comparedAll,
                work,
                known == null ? syncTotals.totals(0, 0) : syncTotals.totals(known.chainCount(), known.ruleCount()),
                refusals.leftOut(),
                List.of(),
                leftOut.inForce(known == null ? null : known::packed));
    }
}
