package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.RandomServices;
import io.dualstackd.dataplane.io.RulesInForce;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random lives of Services during which the kernel stops answering, the rules fail, and another program changes virtual servers. */
final class IpvsFaultsTest {
    /** Syncs until all is right again after the last fault. */
    private static final int SYNCS = 6;

    private final FakeIpvsKernel kernel = new FakeIpvsKernel();
    private final RulesThatFail rules = new RulesThatFail();
    private long now = 1;

    /** Rules that fail when told so. */
    private static final class RulesThatFail implements Syncer {
        private final Syncer rules = new RulesInForce();
        boolean fail;
        boolean endpointChains;
        Runnable atRun = () -> {};

        @Override
        public boolean hasEndpointChains() {
            return endpointChains;
        }

        @Override
        public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
            atRun.run();
            endpointChains = false;
            SyncResult report = rules.run(planner, changed, services);
            return fail
                    ? new SyncResult(
                            new Result.Outdated(),
                            report.comparedAll(),
                            report.work(),
                            report.totals(),
                            report.leftOut(),
                            report.tables(),
                            report.kept())
                    : report;
        }

        @Override
        public void invalidateAll() {}

        @Override
        public boolean changedByOthers() {
            return false;
        }

        @Override
        public void retryRefused() {}

        @Override
        public void close() {}
    }

    /** A pod that has ended gets no connections, and the new one gets them, although the rules of something else are refused. */
    @Test
    void endpointsFollowWhileRulesFail() {
        NodeView node = Samples.node(IpFamily.IPV4);
        ServiceView before = Samples.service(IpFamily.IPV4, 1, 1);
        ServiceView after = Samples.service(IpFamily.IPV4, 1, 2);
        IpvsKey.At key = new IpvsKey.At(Samples.clusterIp(IpFamily.IPV4, 1), Proto.TCP, 80);
        IpPort first = new IpPort(Samples.podIp(IpFamily.IPV4, 1, 0), 8080);
        IpPort second = new IpPort(Samples.podIp(IpFamily.IPV4, 1, 1), 8080);
        ViewSyncer syncer = new ViewSyncer(new IpvsSyncer(rules, kernel, IpvsSettings.USUAL, () -> now));
        assertThat(syncer.run(node, Map.of(before.key(), Optional.of(before))).result())
                .isEqualTo(new Result.InForce());
        rules.fail = true;
        ServiceView other = Samples.service(IpFamily.IPV4, 2, 1);
        SyncResult report = syncer.run(node, Map.of(after.key(), Optional.of(after), other.key(), Optional.of(other)));
        assertThat(report.result()).isEqualTo(new Result.Outdated());
        assertThat(kernel.destinationsOf(key)).containsOnly(Map.entry(first, 1), Map.entry(second, 1));
        report = syncer.run(node, Map.of(before.key(), Optional.of(before)));
        assertThat(report.result()).isEqualTo(new Result.Outdated());
        assertThat(kernel.destinationsOf(key)).containsOnly(Map.entry(first, 1), Map.entry(second, 0));
        // A new server waits for its rules.
        IpvsKey.At added = new IpvsKey.At(Samples.clusterIp(IpFamily.IPV4, 2), Proto.TCP, 80);
        assertThat(kernel.servers).doesNotContainKey(added);
        rules.fail = false;
        settle(syncer, node);
        assertThat(kernel.servers).containsKey(added);
    }

    /** Those of iptables mode lead to the endpoints until they are replaced. */
    @Test
    void theServersAreThereBeforeRulesThatLeadToEndpointsGo() {
        ServiceView service = Samples.service(IpFamily.IPV4, 1, 2);
        IpvsKey.At key = new IpvsKey.At(Samples.clusterIp(IpFamily.IPV4, 1), Proto.TCP, 80);
        rules.endpointChains = true;
        List<Integer> destinations = new ArrayList<>();
        rules.atRun = () -> {
            destinations.add(
                    kernel.servers.containsKey(key) ? kernel.destinationsOf(key).size() : 0);
            assertThat(kernel.addresses).contains(key.address());
        };
        ViewSyncer syncer = new ViewSyncer(new IpvsSyncer(rules, kernel, IpvsSettings.USUAL, () -> now));
        Map<ServiceKey, Optional<ServiceView>> wanted = Map.of(service.key(), Optional.of(service));
        NodeView node = Samples.node(IpFamily.IPV4);
        for (int answered = 0; answered < 3; answered++) {
            kernel.answers = answered;
            assertThat(syncer.run(node, wanted).result()).isEqualTo(new Result.Unreachable("no answer"));
            assertThat(destinations).as("after %s answers", answered).isEmpty();
        }
        kernel.answers = Integer.MAX_VALUE;
        settle(syncer, node);
        assertThat(destinations).first().isEqualTo(2);
        rules.atRun = () -> {};
    }

    @Test
    void recoversFromFaults() {
        Tries.of(200, draw -> recovers(draw.seed(), draw.one(IpFamily.class)));
    }

    private void recovers(long seed, IpFamily family) {
        kernel.servers.clear();
        kernel.destinations.clear();
        kernel.addresses.clear();
        kernel.busy.clear();
        Random random = new Random(seed);
        RandomServices services = new RandomServices(new Random(seed), family);
        Map<ServiceKey, ServiceView> wanted = new HashMap<>();
        NodeView node = services.node();
        ViewSyncer syncer = new ViewSyncer(new IpvsSyncer(rules, kernel, IpvsSettings.USUAL, () -> now));
        for (int step = 0; step < 15; step++) {
            for (int fault = random.nextInt(3); fault >= 0; fault--) {
                Map<ServiceKey, Optional<ServiceView>> changed = new HashMap<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    ServiceView service = services.service(random.nextInt(6));
                    changed.put(service.key(), random.nextInt(4) == 0 ? Optional.empty() : Optional.of(service));
                }
                changed.forEach((key, service) ->
                        service.ifPresentOrElse(view -> wanted.put(key, view), () -> wanted.remove(key)));
                node = random.nextInt(5) == 0 ? services.node() : node;
                if (random.nextBoolean()) {
                    meddle(random);
                }
                kernel.answers = random.nextBoolean() ? random.nextInt(20) : Integer.MAX_VALUE;
                rules.fail = random.nextInt(4) == 0;
                now += random.nextLong(IpvsSyncer.DRAIN_CHECK_INTERVAL.toNanos() * 2);
                SyncResult ignored = syncer.run(node, changed);
                if (random.nextInt(8) == 0 && syncer.changedByOthers()) {
                    syncer.invalidateAll();
                }
                if (random.nextInt(8) == 0) {
                    syncer.retryRefused();
                }
            }
            kernel.answers = Integer.MAX_VALUE;
            rules.fail = false;
            settle(syncer, node);
            kernel.assertHolds(node, wanted);
            now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
            settle(syncer, node);
            kernel.assertHolds(node, wanted);
            kernel.destinations.forEach((key, there) ->
                    assertThat(there.values()).as(key.toString()).allMatch(weight -> weight == 1));
        }
    }

    private void settle(ViewSyncer syncer, NodeView node) {
        SyncResult report = syncer.run(node, Map.of());
        for (int sync = 1;
                sync < SYNCS && (report.needsRetry() || !report.leftOut().isEmpty());
                sync++) {
            syncer.retryRefused();
            report = syncer.run(node, Map.of());
        }
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).isEmpty();
        for (int look = 0; look < SYNCS && syncer.invalidateIfChanged(); look++) {
            assertThat(syncer.run(node, Map.of()).result()).isEqualTo(new Result.InForce());
        }
        assertThat(syncer.changedByOthers()).isFalse();
    }

    private void meddle(Random random) {
        List<IpvsKey.At> keys = new ArrayList<>(kernel.servers.keySet());
        if (keys.isEmpty()) {
            return;
        }
        keys.sort(Comparator.comparing(IpvsKey.At::toString));
        IpvsKey.At key = keys.get(random.nextInt(keys.size()));
        List<IpPort> there =
                new ArrayList<>(kernel.destinations.getOrDefault(key, Map.of()).keySet());
        switch (random.nextInt(6)) {
            case 0 -> {
                kernel.servers.remove(key);
                kernel.destinations.remove(key);
            }
            case 1 -> kernel.addresses.remove(key.address());
            case 2 ->
                kernel.servers.put(
                        key, new IpvsService(key, "lc", 0, 0, key.family().bits()));
            case 3 -> {
                if (!there.isEmpty()) {
                    kernel.destinationsOf(key).remove(there.get(random.nextInt(there.size())));
                }
            }
            case 4 -> {
                if (!there.isEmpty()) {
                    kernel.destinationsOf(key)
                            .put(there.get(random.nextInt(there.size())), random.nextInt(3) + FoundServers.ALTERED);
                }
            }
            default -> {
                if (!there.isEmpty()) {
                    kernel.busy.add(there.get(random.nextInt(there.size())));
                }
            }
        }
    }
}
