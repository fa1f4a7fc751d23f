package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.AppliedFragment;
import io.dualstackd.dataplane.diff.AppliedState;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Recheck;
import io.dualstackd.dataplane.diff.Reconciliation;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.RulesByTable;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.TableRules;
import io.dualstackd.dataplane.diff.TransactionDraft;
import io.dualstackd.dataplane.io.Kernel.Reading;
import io.dualstackd.dataplane.io.RefusalSearch.Answer;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ChangedObject.Anything;
import io.dualstackd.dataplane.watch.ChangedObject.InChain;
import io.dualstackd.dataplane.watch.ChangedObject.InElements;
import io.dualstackd.dataplane.watch.ChangedObject.InRules;
import io.dualstackd.dataplane.watch.ChangedObject.InSet;
import io.dualstackd.dataplane.watch.ChangedObject.InTable;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reconciler of iptables mode: applies {@link io.dualstackd.dataplane.diff.TransactionDraft}s and full comparisons to a kernel. */
public final class IptablesSyncer implements Syncer {
    private final Kernel kernel;
    private final Layout layout;

    private final SyncTotals syncTotals = new SyncTotals();
    private final Refusals refusals = new Refusals();
    private @Nullable Planner planner;
    private @Nullable AppliedState appliedState;
    /** The applied fragments of Services that the kernel refuses, while there is no applied state. */
    private final Map<ServiceKey, AppliedFragment> kept = new HashMap<>();
    /** Services whose applied fragment was only found in the kernel, and may be a remnant of something else. */
    private final Set<ServiceKey> asFound = new HashSet<>();
    /** Services that are compared in this sync. */
    private final Set<ServiceKey> touched = new HashSet<>();
    /** Services for which the last full comparison wrote something. */
    private final List<ServiceKey> suspects = new ArrayList<>();
    /** Services left unchanged while the refused one is searched for. */
    private final Set<ServiceKey> withheld = new HashSet<>();
    /** Chains that another program changed since they were last read. */
    private final Set<ChainId> doubted = new HashSet<>();

    public IptablesSyncer(Kernel kernel, Layout layout) {
        this.kernel = kernel;
        this.layout = layout;
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
        IptablesEncoding encoding = new IptablesEncoding(family, new PrintKey(random.nextLong(), random.nextLong()));
        NetlinkKernel kernel = new NetlinkKernel(
                family, encoding, chain -> chain.name().startsWith("KUBE-"), open, generations, ruleSetGate);
        return new IptablesSyncer(kernel, layout.layout(encoding::image, Ownership::ours));
    }

    /** The reconciler of one family on a kernel whose rules are those of iptables legacy. */
    public static IptablesSyncer ofLegacy(IpFamily family, LegacyKernel.Open open, XtablesLock lock) {
        SecureRandom random = new SecureRandom();
        LegacyEncoding encoding = new LegacyEncoding(family, new PrintKey(random.nextLong(), random.nextLong()));
        LegacyKernel kernel =
                new LegacyKernel(family, encoding, chain -> chain.name().startsWith("KUBE-"), open, lock);
        return new IptablesSyncer(kernel, new IptablesLayout(encoding::image, Ownership::ours));
    }

    @Override
    public SyncResult run(Planner current, Set<ServiceKey> changed, ServicePlans services) {
        changed.forEach(refusals::retryAll);
        Planner before = planner;
        Planner now = before == null || !layout.same(before, current) ? current : before;
        boolean nodeChanged = now != before;
        planner = now;
        try {
            // A failed sync drops the applied state; the following full comparison covers the chains that were dirty.
            SyncResult report = appliedState == null || (nodeChanged && !doubted.isEmpty())
                    ? compareAll(now, services)
                    : changeOnly(now, nodeChanged, changed, services, appliedState);
            boolean unexplained = report.result() instanceof Result.Refused && refusals.unexplained();
            return unexplained && report.comparedAll() && !suspects.isEmpty()
                    ? new Search(now, services).run()
                    : report;
        } finally {
            kernel.done();
        }
    }

    @Override
    public void invalidateAll() {
        remember(refusals.leftOut().keySet());
        appliedState = null;
        doubted.clear();
    }

    @Override
    public void invalidate(Set<ChangedObject> changes) {
        for (ChangedObject change : changes) {
            Optional<ChainId> chain = switch (change) {
                case InRules(ChainName name) -> chainOf(name);
                // A built-in chain is created together with its table.
                case InChain(ChainName name) -> chainOf(name).filter(id -> !BuiltIn.contains(id));
                case Anything ignored -> Optional.empty();
                case InTable ignored -> Optional.empty();
                case InSet ignored -> Optional.empty();
                case InElements ignored -> Optional.empty();
            };
            if (chain.isEmpty()) {
                invalidateAll();
                return;
            }
            doubted.add(chain.get());
        }
        if (appliedState == null) {
            doubted.clear();
        }
    }

    private static Optional<ChainId> chainOf(ChainName name) {
        return Table.named(name.table().name()).map(table -> new ChainId(table, name.name()));
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
        return switch (kernel.read()) {
            case Reading.Failed(String reason) -> report(new Result.Unreachable(reason), true, 0, 0, 0, 0);
            case Reading.Found(KernelChains found) -> {
                AppliedState fresh = new AppliedState(Reconciliation.contents(found, layout, planner));
                Steps batch = new Steps(kernel.begin());
                TransactionDraft draft = new TransactionDraft(fresh.contents(), batch::add);
                Reconciliation comparison = Reconciliation.begin(found, layout, planner, refusals.stuckChains(), draft);
                syncTotals.clear();
                touched.clear();
                suspects.clear();
                services.forEach(service -> {
                    ServiceKey key = service.key();
                    syncTotals.put(service);
                    if (refusals.leftOut(key) || withheld.contains(key)) {
                        AppliedFragment had = kept.get(key);
                        if (had == null) {
                            asFound.add(key);
                        }
                        comparison.keep(service, Optional.ofNullable(had));
                    } else {
                        int steps = batch.batch.size();
                        comparison.service(service);
                        if (batch.batch.size() > steps) {
                            suspects.add(key);
                        }
                    }
                });
                comparison.finish();
                yield commit(batch, draft, fresh, true);
            }
        };
    }

    private SyncResult changeOnly(
            Planner planner, boolean nodeChanged, Set<ServiceKey> changed, ServicePlans services, AppliedState now) {
        Optional<Recheck> recheck = Optional.empty();
        if (!doubted.isEmpty()) {
            switch (kernel.read(doubted)) {
                case Reading.Failed(String reason) -> {
                    return failed(new Result.Unreachable(reason), false, 0);
                }
                case Reading.Found(KernelChains found) -> recheck = Optional.of(new Recheck(doubted, found));
            }
            doubted.clear();
        }
        touched.clear();
        Steps batch = new Steps(kernel.begin());
        TransactionDraft draft = new TransactionDraft(now.contents(), batch::add);
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
                Map<ServiceKey, AppliedFragment> had =
                        had(now, refusals.leftOut().keySet());
                had.keySet().removeAll(asFound);
                Set<Origin> concerned = recheck.get().correct(now, layout, planner, refusals.stuckChains(), draft);
                if (concerned.stream().anyMatch(this::isLeftOut)) {
                    // Its applied rules cannot be written again, only found.
                    invalidateAll();
                    kept.putAll(had);
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

    private void remember(Set<ServiceKey> services) {
        if (appliedState != null) {
            Map<ServiceKey, AppliedFragment> had = had(appliedState, services);
            had.keySet().removeAll(asFound);
            kept.putAll(had);
        }
    }

    private static Map<ServiceKey, AppliedFragment> had(AppliedState known, Set<ServiceKey> services) {
        Map<ServiceKey, AppliedFragment> had = new HashMap<>();
        services.forEach(key -> {
            AppliedFragment appliedFragment = known.of(key);
            if (!appliedFragment.equals(AppliedFragment.NOTHING)) {
                had.put(key, appliedFragment);
            }
        });
        return had;
    }

    /** Finds the Services that the kernel refuses, and applies the changes of all others. */
    private final class Search implements RefusalSearch.Trial {
        private final Planner planner;
        private final ServicePlans services;
        private SyncResult sum;

        Search(Planner planner, ServicePlans services) {
            this.planner = planner;
            this.services = services;
            this.sum = report(new Result.InForce(), true, 0, 0, 0, 0);
        }

        SyncResult run() {
            List<ServiceKey> together = List.copyOf(suspects);
            Optional<Result> ended;
            withheld.addAll(together);
            try {
                sum = compareAll(planner, services);
                if (sum.needsRetry()) {
                    // What remains belongs to the node, or is no longer refused.
                    return sum;
                }
                ended = new RefusalSearch(this, refusals::leaveOut).run(together);
            } finally {
                withheld.clear();
            }
            invalidateAll();
            if (ended.isPresent()) {
                refusals.searchOn();
                return report(ended.get(), true, 0, 0, 0, 0).after(sum);
            }
            return compareAll(planner, services).after(sum);
        }

        @Override
        public Answer of(List<ServiceKey> group) {
            AppliedState now = appliedState;
            if (now == null) {
                throw new IllegalStateException("a search goes on from what is in force");
            }
            Steps batch = new Steps(kernel.begin());
            TransactionDraft draft = new TransactionDraft(now.contents(), batch::add);
            for (ServiceKey key : group) {
                FragmentImage want = services.find(key)
                        .map(service -> layout.service(service, planner))
                        .orElse(FragmentImage.NOTHING);
                draft.change(new Origin.OfService(key), now.of(key), want);
            }
            draft.finish();
            return switch (send(batch, draft)) {
                case Outcome.Applied applied -> {
                    now.apply(draft.after(applied.placed()));
                    group.forEach(withheld::remove);
                    group.forEach(asFound::remove);
                    int ops = batch.batch.size();
                    sum = report(new Result.InForce(), true, ops, applied.messages(), applied.bytes(), batch.rules)
                            .after(sum);
                    yield new Answer.Taken();
                }
                case Outcome.Refused(List<Outcome.Refusal> words) -> new Answer.Refused(words);
                case Outcome.Outdated ignored -> new Answer.Failed(new Result.Outdated());
                case Outcome.Unreachable(String reason) -> new Answer.Failed(new Result.Unreachable(reason));
            };
        }
    }

    private void remove(ServiceKey key, AppliedState now, TransactionDraft draft) {
        touched.add(key);
        syncTotals.remove(key);
        draft.change(new Origin.OfService(key), now.of(key), FragmentImage.NOTHING);
    }

    /** A transaction, and the number of rules it writes. */
    private static final class Steps {
        private final Kernel.Batch batch;
        private long rules;

        Steps(Kernel.Batch batch) {
            this.batch = batch;
        }

        void add(Op op) {
            switch (op) {
                case Op.AppendRule append ->
                    rules += RulesByTable.of(append.chain().table(), 1);
                case Op.PlaceRule place ->
                    rules += RulesByTable.of(place.chain().table(), 1);
                case Op.EnsureTable ignored -> {}
                case Op.CreateChain ignored -> {}
                case Op.FlushChain ignored -> {}
                case Op.DeleteChain ignored -> {}
                case Op.DeleteRule ignored -> {}
            }
            batch.add(op);
        }
    }

    private SyncResult commit(Steps batch, TransactionDraft draft, AppliedState base, boolean comparedAll) {
        int ops = batch.batch.size();
        return switch (send(batch, draft)) {
            case Outcome.Applied applied -> {
                base.apply(draft.after(applied.placed()));
                appliedState = base;
                refusals.settled();
                kept.keySet().retainAll(refusals.leftOut().keySet());
                asFound.removeIf(key -> !refusals.leftOut(key) && !withheld.contains(key));
                yield report(new Result.InForce(), comparedAll, ops, applied.messages(), applied.bytes(), batch.rules);
            }
            case Outcome.Refused refused -> {
                remember(touched);
                refusals.note(refused.refusals());
                yield failed(new Result.Refused(refused.refusals()), comparedAll, ops);
            }
            case Outcome.Outdated ignored -> failed(new Result.Outdated(), comparedAll, ops);
            case Outcome.Unreachable(String reason) -> failed(new Result.Unreachable(reason), comparedAll, ops);
        };
    }

    private static Outcome send(Steps batch, TransactionDraft draft) {
        Outcome outcome = batch.batch.size() == 0 ? new Outcome.Applied(List.of(), 0, 0) : batch.batch.commit();
        return outcome instanceof Outcome.Applied applied && applied.placed().size() != draft.placements()
                ? new Outcome.Unreachable("the kernel took the transaction, but told only "
                        + applied.placed().size() + " of " + draft.placements() + " handles of new rules")
                : outcome;
    }

    private SyncResult failed(Result result, boolean comparedAll, int ops) {
        invalidateAll();
        return report(result, comparedAll, ops, 0, 0, 0);
    }

    private SyncResult report(Result result, boolean comparedAll, int ops, int messages, long bytes, long written) {
        return new SyncResult(
                result,
                comparedAll,
                ops,
                SyncResult.taken(result, ops),
                messages,
                bytes,
                syncTotals.totals(appliedState),
                refusals.leftOut(),
                TableRules.of(appliedState == null ? 0 : appliedState.rules(), written),
                keptNow());
    }

    private Set<ServiceKey> keptNow() {
        Map<ServiceKey, AppliedFragment> now = appliedState == null
                ? kept
                : had(appliedState, refusals.leftOut().keySet());
        return now.keySet().stream().filter(refusals::leftOut).collect(Collectors.toSet());
    }
}
