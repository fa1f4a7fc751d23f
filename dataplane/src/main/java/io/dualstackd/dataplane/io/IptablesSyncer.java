package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.counters.io.NfacctCounters;
import io.dualstackd.dataplane.diff.AppliedFragment;
import io.dualstackd.dataplane.diff.AppliedState;
import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.Recheck;
import io.dualstackd.dataplane.diff.Reconciliation;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.TableRules;
import io.dualstackd.dataplane.diff.SyncResult.Work;
import io.dualstackd.dataplane.diff.SyncTotals;
import io.dualstackd.dataplane.diff.TransactionDraft;
import io.dualstackd.dataplane.io.RefusalSearch.Answer;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The syncer of iptables mode: applies {@link io.dualstackd.dataplane.diff.TransactionDraft}s and full comparisons to a kernel. */
public final class IptablesSyncer implements Syncer {
    private final Kernel kernel;
    private final ChainReader reader;
    private final Layout layout;
    private final Optional<RuleCounters> counters;
    private final Optional<NfacctCounters> nfacct;

    private final SyncTotals syncTotals = new SyncTotals();
    private final LeftOutServices<AppliedFragment> leftOut = new LeftOutServices<>(AppliedFragment.NOTHING::equals);
    private final Refusals refusals = leftOut.refusals();
    private @Nullable Planner planner;
    private @Nullable AppliedState appliedState;
    /** Services that are compared in this sync. */
    private Set<ServiceKey> touched = new HashSet<>();

    public IptablesSyncer(Kernel kernel, Layout layout) {
        this(kernel, layout, Optional.empty(), Optional.empty());
    }

    /**
     * @param counters notified of everything that is written; they supply the start values of rules
     * @param nfacct the objects that rules name
     */
    private IptablesSyncer(
            Kernel kernel, Layout layout, Optional<RuleCounters> counters, Optional<NfacctCounters> nfacct) {
        this.kernel = kernel;
        this.reader = new ChainReader(kernel);
        this.layout = layout;
        this.counters = counters;
        this.nfacct = nfacct;
    }

    /** The counters of its rules; empty where they are not kept. */
    public Optional<RuleCounters> counters() {
        return counters;
    }

    /** As {@link #of(IpFamily, NetlinkKernel.Open, Generations, RuleSetGate)}, for a reconciler that is alone in its namespace. */
    public static IptablesSyncer of(IpFamily family, NetlinkKernel.Open open) {
        return of(family, open, new Generations(), new RuleSetGate());
    }

    /**
     * The reconciler of one family on a real kernel. Each has a fingerprint key of its own.
     *
     * @param generations shared with the other reconcilers of this namespace, and with the watcher of external changes
     * @param ruleSetGate shared with the other reconcilers of this namespace
     */
    public static IptablesSyncer of(
            IpFamily family, NetlinkKernel.Open open, Generations generations, RuleSetGate ruleSetGate) {
        return of(family, open, generations, ruleSetGate, IptablesLayout::new);
    }

    /** Makes a layout, given the image of a rule and the predicate of own chains. */
    public interface LayoutOf {
        Layout layout(Function<Rule, RuleImage> image, Predicate<ChainId> ours);
    }

    /** As {@link #of(IpFamily, NetlinkKernel.Open, Generations, RuleSetGate)}, for another layout of chains. */
    public static IptablesSyncer of(
            IpFamily family,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate,
            LayoutOf layout) {
        SecureRandom random = new SecureRandom();
        PrintKey key = new PrintKey(random.nextLong(), random.nextLong());
        IptablesEncoding encoding = new IptablesEncoding(family, key);
        NetlinkKernel kernel = new NetlinkKernel(
                family,
                // One of its own: during a first load rules are made while a transaction is sent, which may read the
                // kernel again.
                new IptablesEncoding(family, key),
                chain -> chain.name().startsWith("KUBE-"),
                Ownership::ofService,
                open,
                generations,
                ruleSetGate);
        return new IptablesSyncer(
                kernel,
                layout.layout(encoding::image, Ownership::ours),
                Optional.of(new RuleCounters(encoding::image)),
                Optional.empty());
    }

    /** The syncer of one family on a kernel whose rules are those of iptables legacy. */
    public static IptablesSyncer ofLegacy(IpFamily family, LegacyKernel.Open open, XtablesLock lock) {
        SecureRandom random = new SecureRandom();
        LegacyEncoding encoding = new LegacyEncoding(family, new PrintKey(random.nextLong(), random.nextLong()));
        RuleCounters counters = new RuleCounters(encoding::image);
        LegacyKernel kernel =
                new LegacyKernel(family, encoding, chain -> chain.name().startsWith("KUBE-"), open, lock, counters);
        return new IptablesSyncer(
                kernel, new IptablesLayout(encoding::image, Ownership::ours), Optional.of(counters), Optional.empty());
    }

    /** The same reconciler, for rules that name objects at which the kernel counts. */
    public IptablesSyncer countingAt(NfacctCounters objects) {
        return new IptablesSyncer(kernel, layout, counters, Optional.of(objects));
    }

    @Override
    public void readAhead() {
        reader.readAhead();
    }

    @Override
    public boolean hasEndpointChains() {
        reader.readAhead();
        return reader.foundAhead(ChainNames::isOfEndpoint);
    }

    @Override
    public SyncResult run(Planner current, Set<ServiceKey> changed, ServicePlans services) {
        if (leftOut.retry(changed)) {
            invalidateAll();
        }
        Planner before = planner;
        Planner now = before == null || !layout.same(before, current) ? current : before;
        boolean nodeChanged = now != before;
        planner = now;
        try {
            if (nodeChanged && reader.hasDirtyChains()) {
                // Also if the reading fails: the next attempt would not know that the node and these Services changed.
                invalidateAll();
            }
            // A failed sync drops the applied state; the following full comparison covers the chains that were dirty.
            SyncResult report = appliedState == null
                    ? compareAll(now, services)
                    : changeOnly(now, nodeChanged, changed, services, appliedState);
            return leftOut.needsSearch(report) ? leftOut.search(new Search(now, services)) : report;
        } finally {
            kernel.done();
        }
    }

    @Override
    public void invalidateAll() {
        if (appliedState != null) {
            leftOut.keep(leftOut.accepted(appliedState::of));
        }
        appliedState = null;
        counters.ifPresent(RuleCounters::discarded);
        reader.clear();
    }

    @Override
    public void invalidate(Set<ChangedObject> changes) {
        if (!reader.markDirty(changes)) {
            invalidateAll();
        } else if (appliedState == null) {
            reader.clear();
        }
    }

    @Override
    public boolean changedByOthers() {
        return appliedState != null && kernel.changedByOthers();
    }

    @Override
    public void retryRefused() {
        invalidateAll();
        refusals.retryAll();
    }

    @Override
    public void close() {
        kernel.close();
    }

    private SyncResult compareAll(Planner planner, ServicePlans services) {
        if (nfacct.isPresent()) {
            try {
                nfacct.get().ensure();
            } catch (NetlinkException e) {
                return report(new Result.Unreachable(String.valueOf(e.getMessage())), true, Work.NONE, 0);
            }
        }
        return switch (reader.readAll()) {
            case ReadResult.Failed(String reason) -> report(new Result.Unreachable(reason), true, Work.NONE, 0);
            case ReadResult.Found(KernelChains found) ->
                kernel.portion() < Integer.MAX_VALUE
                                && leftOut.isEmpty()
                                && Reconciliation.isFirst(found, layout, planner)
                        ? loadFirst(found, planner, services)
                        : compareAll(found, planner, services);
        };
    }

    private SyncResult loadFirst(KernelChains found, Planner planner, ServicePlans services) {
        AppliedState fresh = new AppliedState(Reconciliation.contents(found, layout, planner));
        syncTotals.clear();
        touched = new HashSet<>();
        leftOut.compareAll();
        try (FirstLoad load = new FirstLoad(kernel, layout, planner, found, fresh, this::draft)) {
            services.forEach(service -> {
                syncTotals.put(service);
                load.service(service);
            });
            counters.ifPresent(of -> of.retain(syncTotals.services()));
            Outcome outcome = load.finish();
            if (outcome instanceof Outcome.Applied) {
                settled(fresh);
                return report(new Result.InForce(), true, load.work(), load.rules());
            }
            return notInForce(outcome, true, load.work().ops());
        }
    }

    private SyncResult compareAll(KernelChains found, Planner planner, ServicePlans services) {
        AppliedState fresh = new AppliedState(Reconciliation.contents(found, layout, planner));
        try (CountedBatch batch = new CountedBatch(kernel.begin())) {
            TransactionDraft draft = draft(fresh, batch);
            Reconciliation comparison =
                    Reconciliation.begin(found, fresh.contents(), layout, planner, refusals.stuckChains(), draft);
            syncTotals.clear();
            touched = new HashSet<>();
            leftOut.compareAll();
            services.forEach(service -> {
                ServiceKey key = service.key();
                syncTotals.put(service);
                if (leftOut.skips(key)) {
                    comparison.keep(service, leftOut.accepted(key));
                } else {
                    int steps = batch.size();
                    comparison.service(service);
                    if (batch.size() > steps) {
                        leftOut.suspect(key);
                    }
                }
            });
            counters.ifPresent(of -> of.retain(syncTotals.services()));
            comparison.finish();
            return commit(batch, draft, fresh, true);
        }
    }

    private SyncResult changeOnly(
            Planner planner, boolean nodeChanged, Set<ServiceKey> changed, ServicePlans services, AppliedState now) {
        Optional<Recheck> recheck = Optional.empty();
        if (reader.hasDirtyChains()) {
            switch (reader.readDirty()) {
                case ReadResult.Failed(String reason) -> {
                    return failed(new Result.Unreachable(reason), false, 0);
                }
                case ReadResult.Found(Recheck found) -> recheck = Optional.of(found);
            }
        }
        touched = new HashSet<>();
        try (CountedBatch batch = new CountedBatch(kernel.begin())) {
            return changeOnly(planner, nodeChanged, changed, services, now, recheck, batch);
        }
    }

    private SyncResult changeOnly(
            Planner planner,
            boolean nodeChanged,
            Set<ServiceKey> changed,
            ServicePlans services,
            AppliedState now,
            Optional<Recheck> recheck,
            CountedBatch batch) {
        TransactionDraft draft = draft(now, batch);
        if (nodeChanged) {
            layout.shared(planner).stream().sorted().forEach(draft::ensureShared);
            layout.guest(planner).stream().sorted().forEach(draft::ensureShared);
            draft.change(Origin.NODE, now.frame(), layout.frame(planner));
            Set<ServiceKey> gone = new HashSet<>(syncTotals.services());
            services.forEach(service -> {
                gone.remove(service.key());
                change(service, planner, now, draft);
            });
            gone.forEach(key -> remove(key, now, draft));
        } else {
            Set<ServiceKey> compared = new HashSet<>(changed);
            if (recheck.isPresent()) {
                Map<ServiceKey, AppliedFragment> accepted = leftOut.accepted(now::of);
                Set<Origin> concerned = recheck.get().correct(now, layout, planner, refusals.stuckChains(), draft);
                if (concerned.stream().anyMatch(this::isLeftOut)) {
                    // Its applied rules cannot be written again, only found.
                    invalidateAll();
                    leftOut.keep(accepted);
                    return compareAll(planner, services);
                }
                concerned.forEach(origin -> {
                    switch (origin) {
                        case Origin.Node ignored -> draft.change(Origin.NODE, now.frame(), layout.frame(planner));
                        case Origin.OfService(ServiceKey key) -> compared.add(key);
                        case Origin.Leftover ignored -> {}
                    }
                });
            }
            for (ServiceKey key : compared) {
                services.find(key)
                        .ifPresentOrElse(
                                service -> change(service, planner, now, draft), () -> remove(key, now, draft));
            }
        }
        draft.finish();
        return commit(batch, draft, now, false);
    }

    private TransactionDraft draft(AppliedState state, CountedBatch batch) {
        return counters.map(of -> new TransactionDraft(state.contents(), op -> batch.add(of.continued(op)), of::wanted))
                .orElseGet(() -> new TransactionDraft(state.contents(), batch::add));
    }

    private void change(ServicePlan service, Planner planner, AppliedState now, TransactionDraft draft) {
        syncTotals.put(service);
        if (!refusals.leftOut(service.key())) {
            touched.add(service.key());
            draft.change(new Origin.OfService(service.key()), now.of(service.key()), layout.service(service, planner));
        }
    }

    private boolean isLeftOut(Origin origin) {
        return origin instanceof Origin.OfService(ServiceKey key) && refusals.leftOut(key);
    }

    /** Sends the changes of groups of Services, to find the one that the kernel refuses. */
    private final class Search implements LeftOutServices.Search {
        private final Planner planner;
        private final ServicePlans services;
        private SyncResult sum;

        Search(Planner planner, ServicePlans services) {
            this.planner = planner;
            this.services = services;
            this.sum = report(new Result.InForce(), true, Work.NONE, 0);
        }

        @Override
        public SyncResult compareOthers() {
            sum = IptablesSyncer.this.compareAll(planner, services);
            return sum;
        }

        @Override
        public SyncResult compareAll() {
            invalidateAll();
            return IptablesSyncer.this.compareAll(planner, services).after(sum);
        }

        @Override
        public SyncResult failed(Result result) {
            return IptablesSyncer.this.failed(result, true, 0).after(sum);
        }

        @Override
        public Answer of(List<ServiceKey> group) {
            AppliedState now = appliedState;
            if (now == null) {
                throw new IllegalStateException("a search goes on from what is in force");
            }
            try (CountedBatch batch = new CountedBatch(kernel.begin())) {
                TransactionDraft draft = draft(now, batch);
                for (ServiceKey key : group) {
                    FragmentImage want = services.find(key)
                            .map(service -> layout.service(service, planner))
                            .orElse(FragmentImage.NOTHING);
                    draft.change(new Origin.OfService(key), now.of(key), want);
                }
                draft.finish();
                return switch (batch.commit(draft.placements())) {
                    case Outcome.Applied applied -> {
                        now.apply(draft.after(applied.placed()));
                        counters.ifPresent(RuleCounters::taken);
                        leftOut.taken(group);
                        sum = inForce(true, batch, applied).after(sum);
                        yield new Answer.Taken();
                    }
                    case Outcome.Refused(List<Outcome.Refusal> words) -> {
                        counters.ifPresent(RuleCounters::discarded);
                        yield new Answer.Refused(words);
                    }
                    case Outcome.Outdated ignored -> new Answer.Failed(new Result.Outdated());
                    case Outcome.Unreachable(String reason) -> new Answer.Failed(new Result.Unreachable(reason));
                };
            }
        }
    }

    private void remove(ServiceKey key, AppliedState now, TransactionDraft draft) {
        touched.add(key);
        syncTotals.remove(key);
        draft.change(new Origin.OfService(key), now.of(key), FragmentImage.NOTHING);
    }

    private SyncResult commit(CountedBatch batch, TransactionDraft draft, AppliedState base, boolean comparedAll) {
        int ops = batch.size();
        Outcome outcome = batch.commit(draft.placements());
        if (outcome instanceof Outcome.Applied applied) {
            base.apply(draft.after(applied.placed()));
            settled(base);
            return inForce(comparedAll, batch, applied);
        }
        return notInForce(outcome, comparedAll, ops);
    }

    private void settled(AppliedState now) {
        appliedState = now;
        counters.ifPresent(RuleCounters::taken);
        leftOut.settled();
    }

    private SyncResult notInForce(Outcome outcome, boolean comparedAll, int ops) {
        return switch (outcome) {
            case Outcome.Applied applied -> throw new IllegalArgumentException("in force: " + applied);
            case Outcome.Refused refused -> {
                AppliedState before = appliedState;
                if (before != null) {
                    leftOut.keep(touched.stream().collect(Collectors.toMap(Function.identity(), before::of)));
                }
                refusals.note(refused.refusals());
                yield failed(new Result.Refused(refused.refusals()), comparedAll, ops);
            }
            case Outcome.Outdated ignored -> failed(new Result.Outdated(), comparedAll, ops);
            case Outcome.Unreachable(String reason) -> failed(new Result.Unreachable(reason), comparedAll, ops);
        };
    }

    private SyncResult failed(Result result, boolean comparedAll, int ops) {
        invalidateAll();
        return report(result, comparedAll, new Work(ops, 0, 0, 0), 0);
    }

    private SyncResult inForce(boolean comparedAll, CountedBatch batch, Outcome.Applied applied) {
        int ops = batch.size();
        Work work = new Work(ops, ops > 0 ? 1 : 0, applied.messages(), applied.bytes());
        return report(new Result.InForce(), comparedAll, work, batch.rules());
    }

    private SyncResult report(Result result, boolean comparedAll, Work work, long written) {
        return new SyncResult(
                result,
                comparedAll,
                work,
                syncTotals.totals(appliedState),
                refusals.leftOut(),
                TableRules.of(appliedState == null ? 0 : appliedState.rules(), written),
                leftOut.inForce(appliedState == null ? null : appliedState::of),
                emptied(appliedState));
    }

    /** Of the chains that cannot be deleted, those that no Service uses again. */
    private List<ChainId> emptied(@Nullable AppliedState now) {
        Planner of = planner;
        return refusals.stuckChains().stream()
                // Of a chain of several Services it was a rule that could not be deleted.
                .filter(chain ->
                        layout.ours(chain) && (of == null || !layout.shared(of).contains(chain)))
                .filter(chain ->
                        now == null || Fingerprint.EMPTY.equals(now.contents().get(chain)))
                .sorted()
                .toList();
    }
}
