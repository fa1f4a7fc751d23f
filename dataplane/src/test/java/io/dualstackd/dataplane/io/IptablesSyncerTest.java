package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.Totals;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IptablesSyncerTest {
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);
    private static final Planner PLANNER = Planner.of(NODE);

    private final FakeKernel kernel = new FakeKernel();
    private final ViewSyncer syncer = new ViewSyncer(new IptablesSyncer(kernel, Samples.layoutByText()));

    private static Map<ServiceKey, Optional<ServiceView>> changes(ServiceView... services) {
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        for (ServiceView service : services) {
            changes.put(service.key(), Optional.of(service));
        }
        return changes;
    }

    private Map<ChainId, List<Rule>> fresh(NodeView node, ServiceView... services) {
        FakeKernel other = new FakeKernel();
        new ViewSyncer(new IptablesSyncer(other, Samples.layoutByText())).run(node, changes(services));
        return unordered(other);
    }

    /** The content with the rules of shared chains in a fixed order, because there order does not count before the tail. */
    private static Map<ChainId, List<Rule>> unordered(FakeKernel kernel) {
        Map<ChainId, List<Rule>> content = new HashMap<>(kernel.content());
        content.replaceAll(
                (chain, rules) -> chain.name().matches("KUBE-(SERVICES|NODEPORTS|EXTERNAL-SERVICES|PROXY-FIREWALL)")
                        ? rules.stream()
                                .sorted(java.util.Comparator.comparing(Rule::toString))
                                .toList()
                        : rules);
        return content;
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aRestartWithTheSameInputChangesNothing(IpFamily family) {
        NodeView node = Samples.node(family);
        ServiceView[] services = {
            Samples.service(family, 1, 3), Samples.service(family, 2, 0), Samples.service(family, 3, 1)
        };
        SyncResult first = syncer.run(node, changes(services));
        assertThat(first.result()).isEqualTo(new Result.InForce());
        assertThat(first.ops()).isPositive();

        SyncResult again =
                new ViewSyncer(new IptablesSyncer(kernel, Samples.layoutByText())).run(node, changes(services));
        assertThat(again.result()).isEqualTo(new Result.InForce());
        assertThat(again.comparedAll()).isTrue();
        assertThat(again.ops()).isZero();
    }

    @Test
    void oneChangedEndpointTouchesOnlyItsService() {
        ServiceView[] services = new ServiceView[50];
        for (int i = 0; i < services.length; i++) {
            services[i] = Samples.service(IpFamily.IPV4, i, 10);
        }
        syncer.run(NODE, changes(services));
        int reads = kernel.reads;

        List<Endpoint> endpoints =
                new ArrayList<>(services[7].ports().getFirst().endpoints());
        endpoints.set(4, Samples.endpoint(Samples.podIp(IpFamily.IPV4, 200, 1), 8080));
        SyncResult report = syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 7, endpoints, Affinity.NONE)));

        assertThat(kernel.reads).as("no listing on the hot path").isEqualTo(reads);
        List<Op> ops = kernel.applied.getLast();
        assertThat(ops).allSatisfy(op -> assertThat(op.origin()).isEqualTo(new Origin.OfService(services[7].key())));
        assertThat(ops.stream()
                        .map(op -> op.getClass().getSimpleName())
                        .collect(Collectors.groupingBy(n -> n, Collectors.counting())))
                .as("new endpoint chain, rewritten service chain, old endpoint chain")
                .isEqualTo(Map.of("CreateChain", 1L, "FlushChain", 2L, "AppendRule", 2L + 11L, "DeleteChain", 1L));
        assertThat(report.ops()).isEqualTo(17);
    }

    @Test
    void deletedServiceLeavesNothing() {
        syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 1, 2), Samples.service(IpFamily.IPV4, 2, 2)));
        syncer.run(NODE, Map.of(new ServiceKey("default", "svc-2"), Optional.empty()));
        assertThat(unordered(kernel)).isEqualTo(fresh(NODE, Samples.service(IpFamily.IPV4, 1, 2)));
    }

    @Test
    void repairsOurRulesAndKeepsForeignOnes() {
        ServiceView service = Samples.service(IpFamily.IPV4, 1, 2);
        syncer.run(NODE, changes(service));
        Map<ChainId, List<Rule>> right = unordered(kernel);

        Rule foreign = Rule.of(new Target.Accept(), new Match.Comment("theirs"));
        RuleImage image = Samples.imageByText(foreign);
        ChainId input = new ChainId(Table.FILTER, "INPUT");
        ChainId services = new ChainId(Table.NAT, "KUBE-SERVICES");
        kernel.flush();
        kernel.foreignRule(input, image);
        kernel.foreignRule(services, image);
        kernel.foreignRule(new ChainId(Table.NAT, "KUBE-SEP-STALE"), image);

        assertThat(syncer.invalidateIfChanged()).isTrue();
        assertThat(syncer.run(NODE, Map.of()).result()).isEqualTo(new Result.InForce());
        Map<ChainId, List<Rule>> now = unordered(kernel);
        assertThat(now.get(input)).contains(foreign);
        now.computeIfPresent(
                input,
                (chain, rules) ->
                        rules.stream().filter(rule -> !rule.equals(foreign)).toList());
        assertThat(now).isEqualTo(right);
    }

    @Test
    void aServiceTheKernelCannotHoldDoesNotKeepTheOthersOut() {
        ServiceView good = Samples.service(IpFamily.IPV4, 1, 2);
        ServiceView sticky = Samples.service(
                IpFamily.IPV4,
                2,
                List.of(Samples.endpoint(Samples.podIp(IpFamily.IPV4, 2, 0), 80)),
                new Affinity.ClientIp(60));
        kernel.refuse(op -> op instanceof Op.AppendRule(var chain, var rule, var origin)
                && rule.rule().matches().stream().anyMatch(Match.Remember.class::isInstance));

        SyncResult report = syncer.run(NODE, changes(good, sticky));
        assertThat(report.result()).isInstanceOf(Result.Refused.class);
        report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isInstanceOf(Result.Refused.class);
        report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).containsOnlyKeys(sticky.key());
        assertThat(unordered(kernel)).isEqualTo(fresh(NODE, good));

        kernel.refuse(op -> false);
        syncer.retryRefused();
        assertThat(syncer.run(NODE, Map.of()).leftOut()).isEmpty();
        assertThat(unordered(kernel)).isEqualTo(fresh(NODE, good, sticky));
    }

    /** The kernel refuses to delete its chain; that is no reason to suspect the Service. */
    @Test
    void anEndpointToWhichARuleOfOthersJumpsLeavesItsService() {
        syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 1, 1)));
        ChainId leaving = kernel.content().keySet().stream()
                .filter(chain -> chain.name().startsWith("KUBE-SEP-"))
                .findFirst()
                .orElseThrow();
        kernel.meddle(
                new ChainId(Table.NAT, "THEIRS"),
                rules -> rules.add(Samples.imageByText(Rule.of(new Target.Jump(leaving.name())))));

        Endpoint other = Samples.endpoint(Samples.podIp(IpFamily.IPV4, 200, 1), 8080);
        ServiceView changed = Samples.service(IpFamily.IPV4, 1, List.of(other), Affinity.NONE);
        SyncResult report = syncer.run(NODE, changes(changed));
        for (int retry = 0; retry < 3 && report.needsRetry(); retry++) {
            report = syncer.run(NODE, Map.of());
        }
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).isEmpty();
        assertThat(report.emptied()).containsExactly(leaving);
        assertThat(unordered(kernel)).containsAllEntriesOf(fresh(NODE, changed));
    }

    /** A kernel without xt_comment, for example: it refuses the rules of all Services, and accepts them once the module is loaded. */
    @Test
    void frameRefusalBlamesNoService() {
        ServiceView service = Samples.service(IpFamily.IPV4, 1, 2);
        kernel.refuse(op -> op instanceof Op.AppendRule || op instanceof Op.PlaceRule);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(syncer.run(NODE, attempt == 0 ? changes(service) : Map.of())
                            .result())
                    .isInstanceOf(Result.Refused.class);
        }
        kernel.refuse(op -> false);
        SyncResult report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).isEmpty();
        assertThat(unordered(kernel)).isEqualTo(fresh(NODE, service));
    }

    @Test
    void handlesThatGotLostMeanThatTheKernelIsReadAgain() {
        syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 1, 2)));
        kernel.loseEchoes(1);
        SyncResult report = syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 2, 2)));
        assertThat(report.result()).isInstanceOf(Result.Unreachable.class);
        report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.comparedAll()).isTrue();
        assertThat(report.ops()).as("all was done").isZero();
    }

    /** The source may be ahead of its notifications: a change seen early is applied early, and not again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void appliesNewerViewOnce(boolean comparedAll) {
        Map<ServiceKey, ServiceView> now = new HashMap<>();
        ServicePlans wanted = new FixedPlans(PLANNER, now);
        IptablesSyncer pulling = new IptablesSyncer(kernel, Samples.layoutByText());
        ServiceView one = Samples.service(IpFamily.IPV4, 1, 2);
        ServiceView two = Samples.service(IpFamily.IPV4, 2, 2);
        now.put(one.key(), one);
        now.put(two.key(), two);
        pulling.run(PLANNER, Set.of(one.key(), two.key()), wanted);
        if (comparedAll) {
            pulling.invalidateAll();
        }

        ServiceView oneLater = Samples.service(IpFamily.IPV4, 1, 5);
        now.put(oneLater.key(), oneLater);
        now.remove(two.key());
        Set<ServiceKey> changed = comparedAll ? Set.of() : Set.of(one.key(), two.key());
        SyncResult early = pulling.run(PLANNER, changed, wanted);
        assertThat(early.comparedAll()).isEqualTo(comparedAll);
        assertThat(early.ops()).isPositive();
        assertThat(unordered(kernel)).isEqualTo(fresh(NODE, oneLater));

        SyncResult late = pulling.run(PLANNER, Set.of(one.key(), two.key()), wanted);
        assertThat(late.comparedAll()).isFalse();
        assertThat(late.ops()).isZero();
        assertThat(late.totals()).isEqualTo(early.totals());
    }

    @Test
    void theTotalsFollowEveryChange() {
        Totals before = syncer.run(
                        NODE, changes(Samples.service(IpFamily.IPV4, 1, 2), Samples.service(IpFamily.IPV4, 2, 3)))
                .totals();
        assertThat(before)
                .extracting(Totals::services, Totals::servicePorts, Totals::endpoints)
                .containsExactly(2, 2, 5);
        Totals fewer =
                syncer.run(NODE, changes(Samples.service(IpFamily.IPV4, 2, 1))).totals();
        assertThat(fewer).extracting(Totals::services, Totals::endpoints).containsExactly(2, 3);
        syncer.invalidateAll();
        assertThat(syncer.run(NODE, Map.of()).totals()).isEqualTo(fewer);
        Totals one = syncer.run(NODE, Map.of(new ServiceKey("default", "svc-1"), Optional.empty()))
                .totals();
        assertThat(one).extracting(Totals::services, Totals::endpoints).containsExactly(1, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyRoadLeadsToTheSameRules(long seed) {
        Random random = new Random(seed);
        Map<ServiceKey, ServiceView> world = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int n = random.nextInt(12);
                ServiceView view = Samples.service(IpFamily.IPV4, n, random.nextInt(5));
                if (random.nextInt(4) == 0) {
                    world.remove(view.key());
                    changes.put(view.key(), Optional.empty());
                } else {
                    world.put(view.key(), view);
                    changes.put(view.key(), Optional.of(view));
                }
            }
            switch (random.nextInt(20)) {
                case 0 -> kernel.flush();
                case 1 -> kernel.deleteAll();
                case 2 -> syncer.invalidateAll();
                default -> {}
            }
            SyncResult report = syncer.run(NODE, changes);
            for (int retry = 0; retry < 3 && report.needsRetry(); retry++) {
                report = syncer.run(NODE, Map.of());
            }
            if (syncer.invalidateIfChanged()) {
                report = syncer.run(NODE, Map.of());
            }
            assertThat(report.result()).as("step %d of seed %d", step, seed).isEqualTo(new Result.InForce());
            assertThat(unordered(kernel))
                    .as("step %d of seed %d", step, seed)
                    .isEqualTo(fresh(NODE, world.values().toArray(ServiceView[]::new)));
        }
    }
}
