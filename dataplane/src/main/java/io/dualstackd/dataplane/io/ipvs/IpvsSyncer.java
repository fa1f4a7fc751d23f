package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.ServerCounters;
import io.dualstackd.dataplane.counters.io.ServerConnectionCounts;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Refusals;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ipvs.IpvsKernel.Done;
import io.dualstackd.dataplane.io.ipvs.IpvsKernel.RefusedStep;
import io.dualstackd.dataplane.ipvs.AppliedServers;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.ipvs.ServerCompiler;
import io.dualstackd.dataplane.ipvs.ServersDraft;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.dataplane.ipvs.Steps;
import io.dualstackd.dataplane.ipvs.VirtualServer;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The syncer of IPVS mode: rules through an {@link IptablesSyncer}, virtual servers beside it. Removals are made before the rules
 * change, additions after; but where the rules of iptables mode are found, all before.
 */
public final class IpvsSyncer implements Syncer {
    /** How long a destination that no Service wants any more may keep its last connections; as in kube-proxy. */
    static final Duration MAX_DRAIN_TIME = Duration.ofMinutes(15);

    /** The interval between two checks of how many connections are left. */
    static final Duration DRAIN_CHECK_INTERVAL = Duration.ofSeconds(5);

    /** Virtual servers whose destinations are listed by one check; each takes a request. */
    static final int SERVERS_PER_CHECK = 500;

    private final Syncer rules;
    private final ServerCounters counters = new ServerCounters();
    private final IpvsKernel kernel;
    private final IpvsSettings settings;
    private final LongSupplier clock;

    private final Refusals refusals = new Refusals();
    private final RefusedServers refusedServers = new RefusedServers();
    private @Nullable OfNode current;
    private @Nullable AppliedServers appliedServers;
    /** Whether the kernel has the rules of this mode. */
    private boolean rulesAreOurs;
    /** The leaving destinations of the applied state that was dropped last: their time goes on. */
    private Map<IpvsKey.At, Map<IpPort, Long>> leaving = Map.of();

    private long lastDrainCheck;
    /** Virtual servers whose destinations the next checks will list. */
    private final Deque<IpvsKey.At> unchecked = new ArrayDeque<>();

    /** Values computed once per planner. */
    private record OfNode(Planner planner, ServerCompiler compiler) {}

    /** @param clock {@link System#nanoTime} */
    IpvsSyncer(Syncer rules, IpvsKernel kernel, IpvsSettings settings, LongSupplier clock) {
        this.rules = rules;
        this.kernel = kernel;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * The syncer of one family on a real kernel.
     *
     * @param open opens sockets for the kernel's rules
     * @param generations shared with the other reconcilers of this namespace, and with the watcher of external changes
     * @param ruleSetGate shared with the other reconcilers of this namespace
     * @param ns the namespace of the virtual servers and links
     */
    public static IpvsSyncer of(
            IpFamily family,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate,
            NetNs ns,
            IpvsSettings settings) {
        return new IpvsSyncer(
                IptablesSyncer.of(family, open, generations, ruleSetGate, IptablesLayout::aroundServers),
                new NetlinkIpvsKernel(family, NetlinkSockets.of(ns)),
                settings,
                System::nanoTime);
    }

    /** What its virtual servers and the rules in front of them count, read from the kernel when asked. */
    public Optional<ConnectionCounts> counts(IpFamily family, NetlinkSockets sockets) {
        return rules instanceof IptablesSyncer around
                ? around.counters()
                        .map(lost -> ServerConnectionCounts.of(
                                family, new ServerStatistics(family, settings, sockets), counters, sockets, lost))
                : Optional.empty();
    }

    ServerCounters counters() {
        return counters;
    }

    @Override
    public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
        changed.forEach(refusals::retryAll);
        changed.forEach(refusedServers::retry);
        OfNode before = current;
        OfNode now = before == null || before.planner != planner
                ? new OfNode(planner, new ServerCompiler(planner, settings))
                : before;
        current = now;
        AppliedServers known = appliedServers;
        if (known != null && before != null) {
            Steps steps = draft(now, before, false, changed, services, known);
            return carryOut(steps, known, planner, changed, services, false);
        }
        return switch (kernel.read()) {
            case ReadResult.Failed<FoundServers>(String reason) ->
                failed(
                        endpointsAreInRules() ? notRun(reason) : runRules(planner, changed, services),
                        new Result.Unreachable(reason));
            case ReadResult.Found<FoundServers>(FoundServers found) -> {
                AppliedServers fresh = new AppliedServers(found, clock.getAsLong(), leaving);
                Steps steps = draft(now, before, true, changed, services, fresh);
                yield carryOut(steps, fresh, planner, changed, services, true);
            }
        };
    }

    private Steps draft(
            OfNode now,
            @Nullable OfNode before,
            boolean compareAll,
            Set<ServiceKey> changed,
            ServicePlans services,
            AppliedServers known) {
        ServersDraft draft = new ServersDraft(known, settings, clock.getAsLong());
        boolean everything = compareAll
                || before == null
                || !now.planner.plansServicesAs(before.planner)
                || before.compiler.differs(now.compiler);
        if (everything) {
            Set<ServiceKey> gone = new HashSet<>(known.services());
            services.forEach(service -> {
                gone.remove(service.key());
                change(service, now, draft);
            });
            gone.forEach(key -> draft.service(key, Map.of()));
        } else {
            changed.forEach(key -> again(key, services, now, draft));
        }
        for (Set<ServiceKey> again = draft.again(); !again.isEmpty(); again = draft.again()) {
            again.forEach(key -> again(key, services, now, draft));
        }
        if (compareAll) {
            draft.nothingElse();
        }
        farewells(known, draft);
        return draft.finish();
    }

    private void again(ServiceKey key, ServicePlans services, OfNode node, ServersDraft draft) {
        services.find(key).ifPresentOrElse(service -> change(service, node, draft), () -> draft.service(key, Map.of()));
    }

    private void change(ServicePlan service, OfNode node, ServersDraft draft) {
        Map<IpvsKey.At, VirtualServer> wanted = node.compiler.compile(service);
        draft.service(
                service.key(),
                refusals.leftOut(service.key()) ? refusedServers.without(service.key(), wanted) : wanted);
    }

    /** Deletes destinations whose last connection has ended, or whose time is over. */
    private void farewells(AppliedServers known, ServersDraft draft) {
        long now = clock.getAsLong();
        if (known.leaving().isEmpty() || now - lastDrainCheck < DRAIN_CHECK_INTERVAL.toNanos()) {
            return;
        }
        lastDrainCheck = now;
        known.leaving().forEach((server, leaving) -> {
            Set<IpPort> over = new HashSet<>();
            leaving.forEach((address, since) -> {
                if (now - since >= MAX_DRAIN_TIME.toNanos()) {
                    over.add(address);
                }
            });
            if (kernel.idle(server, leaving.keySet()) instanceof ReadResult.Found<Set<IpPort>>(Set<IpPort> idle)) {
                // A connection may have been scheduled to it after this check and before its weight was set to 0.
                idle.stream()
                        .filter(address -> now - leaving.getOrDefault(address, now) >= DRAIN_CHECK_INTERVAL.toNanos())
                        .forEach(over::add);
            }
            over.stream().sorted().forEach(address -> draft.deleteDrained(server, address));
        });
    }

    private SyncResult carryOut(
            Steps steps,
            AppliedServers known,
            Planner planner,
            Set<ServiceKey> changed,
            ServicePlans services,
            boolean comparedAll) {
        appliedServers = null;
        Work work = new Work();
        Done removals = kernel.make(steps.before());
        work.add(removals);
        forget(steps.before(), removals);
        work.ops = steps.size();
        boolean serversFirst = endpointsAreInRules();
        if (serversFirst) {
            work.add(kernel.make(steps.after()));
        }
        SyncResult report =
                serversFirst && work.failure != null ? notRun(work.failure) : runRules(planner, changed, services);
        if (!serversFirst) {
            // A pod that has ended must get no connections, whatever the rules wait for.
            work.add(kernel.make(report.needsRetry() ? steps.ofStandingServers() : steps.after()));
        }
        if (report.needsRetry() || work.failure != null || !work.refused.isEmpty()) {
            leaving = known.leaving();
        }
        if (report.needsRetry()) {
            return work.with(report, report.result(), refusals.leftOut());
        }
        if (work.failure != null) {
            return work.with(report, new Result.Unreachable(work.failure), refusals.leftOut());
        }
        if (!work.refused.isEmpty()) {
            List<Refusal> refused = work.refused.stream()
                    .map(one -> new Refusal(Optional.of(one.step().origin()), one.kernelSays()))
                    .toList();
            refusals.note(refused);
            refusedServers.note(work.refused);
            return work.with(report, new Result.Refused(refused), refusals.leftOut());
        }
        appliedServers = known;
        if (comparedAll) {
            counters.retain(known.servers());
        }
        refusals.settled();
        refusedServers.retain(refusals.leftOut().keySet());
        return work.with(report, report.result(), refusals.leftOut());
    }

    /**
     * Whether the rules in the kernel are those of iptables mode, which lead to endpoints. They are replaced by one transaction, so the
     * virtual servers have to be there before it; as long as they stay, no packet for a Service gets to one.
     */
    private boolean endpointsAreInRules() {
        return !rulesAreOurs && rules.hasEndpointChains();
    }

    private SyncResult runRules(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
        SyncResult report = rules.run(planner, changed, services);
        rulesAreOurs |= !report.needsRetry();
        return report;
    }

    /** The rules stay as they are. */
    private static SyncResult notRun(String reason) {
        return new SyncResult(
                new Result.Unreachable(reason),
                false,
                SyncResult.Work.NONE,
                new SyncResult.Totals(0, 0, 0, 0, 0),
                Map.of(),
                List.of(),
                Set.of());
    }

    /** A server that may still be there goes on counting; the next full comparison forgets it when it is gone. */
    private void forget(List<Step> removals, Done done) {
        if (done instanceof Done.Made made) {
            Set<Step> refused = made.refused().stream().map(RefusedStep::step).collect(Collectors.toSet());
            for (Step step : removals) {
                if (step instanceof Step.Change(var ignored, IpvsChange.DeleteService(IpvsKey.At gone))
                        && !refused.contains(step)) {
                    counters.removed(gone);
                }
            }
        }
    }

    /** The result of the changes of virtual servers in one sync. */
    private static final class Work {
        private final List<RefusedStep> refused = new ArrayList<>();
        private @Nullable String failure;
        private int ops;
        private int messages;
        private long bytes;

        void add(Done done) {
            switch (done) {
                case Done.Made made -> {
                    refused.addAll(made.refused());
                    messages += made.messages();
                    bytes += made.bytes();
                }
                case Done.Unreachable(String reason) -> failure = failure == null ? reason : failure;
            }
        }

        /** All is compared when the rules are: foreign changes are reported of rules only, and a comparison of servers repairs none of those. */
        SyncResult with(SyncResult ofRules, Result result, Map<ServiceKey, String> leftOut) {
            Map<ServiceKey, String> all = new HashMap<>(ofRules.leftOut());
            leftOut.forEach((service, why) -> all.merge(service, why, (a, b) -> a + "; " + b));
            int allOps = ofRules.ops() + ops;
            return new SyncResult(
                    result,
                    ofRules.comparedAll(),
                    new SyncResult.Work(
                            allOps,
                            Math.max(ofRules.transactions(), result instanceof Result.InForce && allOps > 0 ? 1 : 0),
                            ofRules.messages() + messages,
                            ofRules.bytes() + bytes),
                    ofRules.totals(),
                    all,
                    ofRules.tables(),
                    ofRules.kept(),
                    ofRules.emptied());
        }
    }

    private SyncResult failed(SyncResult ofRules, Result result) {
        return new Work().with(ofRules, ofRules.needsRetry() ? ofRules.result() : result, refusals.leftOut());
    }

    @Override
    public void invalidateAll() {
        drop();
        unchecked.clear();
        rules.invalidateAll();
    }

    private void drop() {
        AppliedServers known = appliedServers;
        if (known != null) {
            leaving = known.leaving();
            appliedServers = null;
        }
    }

    /** There are no notifications for virtual servers. */
    @Override
    public void invalidate(Set<ChangedObject> changes) {
        rules.invalidate(changes);
    }

    @Override
    public boolean changedByOthers() {
        AppliedServers known = appliedServers;
        if (known == null) {
            return false;
        }
        boolean ofServers = switch (kernel.outline()) {
            case ReadResult.Failed<IpvsKernel.Outline> ignored -> true;
            case ReadResult.Found<IpvsKernel.Outline>(IpvsKernel.Outline found) ->
                !known.agrees(withoutOthers(found.servers(), known), found.addresses()) || !nextAgree(known);
        };
        return ofServers || rules.changedByOthers();
    }

    private Map<IpvsKey.At, IpvsService> withoutOthers(Map<IpvsKey.At, IpvsService> found, AppliedServers known) {
        Map<IpvsKey.At, IpvsService> ours = new HashMap<>(found);
        ours.keySet().removeIf(key -> settings.excludes(key.address()) && !known.has(key));
        return ours;
    }

    /**
     * Whether the next virtual servers have the destinations of the applied state; the kernel lists them one server at a time. One that
     * has not is the first to be asked again: a change counts only when it is still there at a second look.
     */
    private boolean nextAgree(AppliedServers known) {
        if (unchecked.isEmpty()) {
            unchecked.addAll(known.servers());
        }
        for (int checked = 0; checked < SERVERS_PER_CHECK && !unchecked.isEmpty(); checked++) {
            IpvsKey.At server = unchecked.element();
            if (known.has(server)
                    && !(kernel.weights(server)
                                    instanceof ReadResult.Found<Map<IpPort, Integer>>(Map<IpPort, Integer> weights)
                            && known.agrees(server, weights))) {
                return false;
            }
            unchecked.remove();
        }
        return true;
    }

    @Override
    public void retryRefused() {
        refusals.retryAll();
        refusedServers.retain(Set.of());
        drop();
        rules.retryRefused();
    }

    @Override
    public void close() {
        rules.close();
        kernel.close();
    }
}
