package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.ServerCounters;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.RandomServices;
import io.dualstackd.dataplane.io.RulesInForce;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.random.Tries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against a kernel that refuses what the real one refuses; what a real one does with packets is tried in a VM that has IPVS. */
final class IpvsSyncerTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);

    private final FakeIpvsKernel kernel = new FakeIpvsKernel();
    private long now = 1;

    private ViewSyncer pass(IpvsSettings settings) {
        return new ViewSyncer(new IpvsSyncer(new RulesInForce(), kernel, settings, () -> now));
    }

    private ViewSyncer pass() {
        return pass(IpvsSettings.USUAL);
    }

    private static Map<ServiceKey, Optional<ServiceView>> now(ServiceView... services) {
        Map<ServiceKey, Optional<ServiceView>> changed = new HashMap<>();
        for (ServiceView service : services) {
            changed.put(service.key(), Optional.of(service));
        }
        return changed;
    }

    private static void inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
    }

    private static IpvsKey.At clusterIp(int n) {
        return new IpvsKey.At(Samples.clusterIp(FAMILY, n), Proto.TCP, 80);
    }

    private static IpPort pod(int service, int index) {
        return new IpPort(Samples.podIp(FAMILY, service, index), 8080);
    }

    /** Whatever happens to Services that share addresses: all that is wanted is there, nothing else, and never was there a gap. */
    @Test
    void followsAnyLife() {
        Tries.of(60, draw -> followsAnyLife(draw.seed(), draw.one(IpFamily.class)));
    }

    private void followsAnyLife(long seed, IpFamily family) {
        kernel.servers.clear();
        kernel.destinations.clear();
        kernel.addresses.clear();
        kernel.gaps.clear();
        RandomServices random = new RandomServices(new Random(seed), family);
        Map<ServiceKey, ServiceView> wanted = new HashMap<>();
        NodeView node = random.node();
        ViewSyncer syncer = pass();
        for (int step = 0; step < 12; step++) {
            Map<ServiceKey, Optional<ServiceView>> changed = new HashMap<>();
            for (int i = 0; i < 3; i++) {
                int n = random.random().nextInt(8);
                ServiceView service = random.service(n);
                boolean gone = random.random().nextInt(4) == 0;
                changed.put(service.key(), gone ? Optional.empty() : Optional.of(service));
            }
            changed.forEach(
                    (key, service) -> service.ifPresentOrElse(view -> wanted.put(key, view), () -> wanted.remove(key)));
            node = random.random().nextInt(5) == 0 ? random.node() : node;
            inForce(syncer.run(node, changed));
            kernel.assertHolds(node, wanted);
            assertThat(kernel.gaps).isEmpty();
            if (random.random().nextInt(4) == 0) {
                syncer = pass();
                SyncResult report = syncer.run(node, everything(wanted));
                inForce(report);
                // Nothing but what was quarrelled about: an address of several Services may be another one's now.
                kernel.assertHolds(node, wanted);
            }
        }
    }

    private static Map<ServiceKey, Optional<ServiceView>> everything(Map<ServiceKey, ServiceView> wanted) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        wanted.forEach((key, view) -> all.put(key, Optional.of(view)));
        return all;
    }

    @Test
    void aChangeCostsWhatItChanges() {
        ViewSyncer syncer = pass();
        List<ServiceView> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(Samples.service(FAMILY, i, 3));
        }
        inForce(syncer.run(NODE, now(many.toArray(ServiceView[]::new))));
        kernel.made.clear();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 7, 4))));
        // One more endpoint: of the ClusterIP, and of the node port on the node's one address.
        assertThat(kernel.made)
                .hasSize(2)
                .allSatisfy(step -> assertThat(step)
                        .isInstanceOfSatisfying(
                                Step.Change.class,
                                change -> assertThat(change.change()).isInstanceOf(IpvsChange.AddDestination.class)));
    }

    @Test
    void anotherLineTakesOverWithoutAnyChange() {
        inForce(pass().run(NODE, now(Samples.service(FAMILY, 1, 3), Samples.service(FAMILY, 2, 0))));
        kernel.made.clear();
        SyncResult report = pass().run(NODE, now(Samples.service(FAMILY, 1, 3), Samples.service(FAMILY, 2, 0)));
        inForce(report);
        assertThat(report.ops()).isZero();
        assertThat(kernel.made).isEmpty();
    }

    @Test
    void serverThatCouldNotBeRemovedKeepsItsCount() {
        IpvsSyncer ipvs = new IpvsSyncer(new RulesInForce(), kernel, IpvsSettings.USUAL, () -> now);
        ViewSyncer syncer = new ViewSyncer(ipvs);
        ServiceView service = Samples.service(FAMILY, 1, 3);
        inForce(syncer.run(NODE, now(service)));
        ServerCounters counters = ipvs.counters();
        counters.begin();
        counters.end(Map.of(clusterIp(1), 10L), Set.of());

        kernel.unreachable = Optional.of("no answer");
        assertThat(syncer.run(NODE, Map.of(service.key(), Optional.empty())).needsRetry())
                .isTrue();
        counters.begin();
        counters.end(Map.of(clusterIp(1), 12L), Set.of());
        assertThat(counters.total()).as("counted once").isEqualTo(12);

        kernel.unreachable = Optional.empty();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(counters.connections(clusterIp(1))).isZero();
        assertThat(counters.total()).isEqualTo(12);
    }

    @Test
    void connectionsMayEnd() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        kernel.busy.add(pod(1, 1));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        assertThat(kernel.destinations.get(clusterIp(1)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(pod(1, 0), 1, pod(1, 1), 0));

        now += IpvsSyncer.DRAIN_CHECK_INTERVAL.toNanos();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.destinations.get(clusterIp(1))).containsKey(pod(1, 1));

        kernel.busy.clear();
        now += IpvsSyncer.DRAIN_CHECK_INTERVAL.toNanos();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.destinations.get(clusterIp(1))).containsOnlyKeys(pod(1, 0));
    }

    @Test
    void noConnectionKeepsAnEndpointForEver() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        kernel.busy.add(pod(1, 1));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.destinations.get(clusterIp(1))).containsOnlyKeys(pod(1, 0));
    }

    /** Nor does it when the kernel is read again and again meanwhile, because it refuses another Service. */
    @Test
    void theTimeToLeaveGoesOnWhenTheKernelIsReadAgain() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        kernel.busy.add(pod(1, 1));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        kernel.missing.add(Proto.SCTP);
        ServiceView refused = withSctp(Samples.service(FAMILY, 2, 1));
        SyncResult report = syncer.run(NODE, now(refused));
        for (int minutes = 0; minutes < 15; minutes += 5) {
            while (report.needsRetry()) {
                report = syncer.run(NODE, Map.of());
            }
            assertThat(kernel.destinationsOf(clusterIp(1))).containsKey(pod(1, 1));
            now += Duration.ofMinutes(5).toNanos();
            syncer.retryRefused();
            report = syncer.run(NODE, Map.of());
        }
        assertThat(kernel.destinationsOf(clusterIp(1))).containsOnlyKeys(pod(1, 0));
    }

    @Test
    void anEndpointThatComesBackIsCalledBack() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        assertThat(kernel.serving(clusterIp(1))).containsExactlyInAnyOrder(pod(1, 0), pod(1, 1));
        now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.serving(clusterIp(1))).hasSize(2);
    }

    @Test
    void detectsAndRestoresDeletedServers() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1), Samples.service(FAMILY, 2, 1))));
        assertThat(syncer.invalidateIfChanged()).isFalse();
        kernel.servers.remove(clusterIp(1));
        kernel.destinations.remove(clusterIp(1));
        assertThat(syncer.invalidateIfChanged()).isTrue();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.serving(clusterIp(1))).containsExactly(pod(1, 0));
        kernel.addresses.clear();
        assertThat(syncer.invalidateIfChanged()).isTrue();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.addresses).hasSize(2);
    }

    @Test
    void detectsAndRestoresDestinations() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 3), Samples.service(FAMILY, 2, 1))));
        kernel.busy.add(pod(1, 2));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        Map<IpPort, Integer> right = Map.of(pod(1, 0), 1, pod(1, 1), 1, pod(1, 2), 0);
        Map<IpPort, Integer> there = kernel.destinationsOf(clusterIp(1));
        assertThat(there).isEqualTo(right);
        assertThat(syncer.invalidateIfChanged()).as("one is leaving").isFalse();

        there.remove(pod(1, 0));
        restoredBy(syncer);
        assertThat(there).isEqualTo(right);
        there.put(pod(1, 1), 0);
        restoredBy(syncer);
        assertThat(there).isEqualTo(right);
        there.put(pod(1, 1), 7);
        restoredBy(syncer);
        assertThat(there).as("a weight").isEqualTo(right);
        there.put(pod(1, 0), FoundServers.ALTERED);
        restoredBy(syncer);
        assertThat(there).as("a forwarding method").isEqualTo(right);
        there.put(pod(1, 2), FoundServers.ALTERED);
        restoredBy(syncer);
        assertThat(there).as("a forwarding method of one that is leaving").isEqualTo(right);
        there.put(pod(7, 7), 1);
        restoredBy(syncer);
        assertThat(there).containsEntry(pod(7, 7), 0).containsAllEntriesOf(right);
        kernel.servers.put(clusterIp(2), new IpvsService(clusterIp(2), "lc", 0, 0, 32));
        restoredBy(syncer);
        assertThat(kernel.servers).containsEntry(clusterIp(2), new IpvsService(clusterIp(2), "rr", 0, 0, 32));
        assertThat(syncer.invalidateIfChanged()).isFalse();
    }

    private static void restoredBy(ViewSyncer syncer) {
        assertThat(syncer.changedByOthers())
                .as("a first look, which proves nothing")
                .isTrue();
        assertThat(syncer.invalidateIfChanged()).isTrue();
        inForce(syncer.run(NODE, Map.of()));
    }

    /** A check lists the destinations of so many servers at most, and the next one those of others. */
    @Test
    void destinationsOfManyServersAreCheckedInTurn() {
        ViewSyncer syncer = pass();
        int count = IpvsSyncer.SERVERS_PER_CHECK / 2 + 50;
        inForce(syncer.run(
                NODE,
                now(IntStream.range(0, count)
                        .mapToObj(n -> Samples.service(FAMILY, n, 1))
                        .toArray(ServiceView[]::new))));
        assertThat(syncer.invalidateIfChanged()).isFalse();
        assertThat(kernel.listed).isEqualTo(IpvsSyncer.SERVERS_PER_CHECK);
        assertThat(syncer.invalidateIfChanged()).isFalse();
        assertThat(kernel.listed)
                .isEqualTo(kernel.servers.size())
                .isBetween(IpvsSyncer.SERVERS_PER_CHECK, 2 * IpvsSyncer.SERVERS_PER_CHECK);
        for (int n = 0; n < count; n += 40) {
            kernel.destinationsOf(clusterIp(n)).clear();
            boolean found = false;
            for (int check = 0; check < 3 && !found; check++) {
                found = syncer.invalidateIfChanged();
            }
            assertThat(found).as("server " + n).isTrue();
            inForce(syncer.run(NODE, Map.of()));
            assertThat(kernel.serving(clusterIp(n))).hasSize(1);
        }
    }

    @Test
    void deletesUnwantedServersAndKeepsExcludedOnes() {
        IpvsKey.At stale = clusterIp(77);
        kernel.servers.put(stale, new IpvsService(stale, "rr", 0, 0, 32));
        kernel.addresses.add(stale.address());
        inForce(pass().run(NODE, now(Samples.service(FAMILY, 1, 1))));
        assertThat(kernel.servers).doesNotContainKey(stale);
        assertThat(kernel.addresses).containsExactly(clusterIp(1).address());

        kernel.servers.put(stale, new IpvsService(stale, "rr", 0, 0, 32));
        ViewSyncer syncer = pass(new IpvsSettings("rr", List.of(IpPrefix.host(stale.address()))));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        assertThat(kernel.servers).containsKey(stale);
        assertThat(syncer.changedByOthers()).isFalse();
        kernel.servers.put(stale, new IpvsService(stale, "lc", 0, 0, 32));
        assertThat(syncer.changedByOthers()).as("it belongs to another program").isFalse();
    }

    /** As in kube-proxy, where the networks only count when virtual servers are removed. */
    @Test
    void servesServicesInExcludedNetworks() {
        IpvsSettings excluding = new IpvsSettings("rr", List.of(IpPrefix.parse("0.0.0.0/0")));
        ViewSyncer syncer = pass(excluding);
        Map<ServiceKey, Optional<ServiceView>> wanted =
                now(Samples.service(FAMILY, 1, 1), Samples.service(FAMILY, 2, 1));
        inForce(syncer.run(NODE, wanted));
        assertThat(kernel.serving(clusterIp(1))).hasSize(1);
        assertThat(kernel.addresses)
                .containsExactlyInAnyOrder(clusterIp(1).address(), clusterIp(2).address());
        kernel.made.clear();
        inForce(pass(excluding).run(NODE, wanted));
        assertThat(kernel.made).isEmpty();

        inForce(syncer.run(NODE, Map.of(Samples.service(FAMILY, 1, 1).key(), Optional.empty())));
        assertThat(kernel.servers).doesNotContainKey(clusterIp(1));
        kernel.servers.remove(clusterIp(2));
        assertThat(syncer.changedByOthers()).isTrue();
    }

    /** A kernel may be built without SCTP: that Service is left out, with the kernel's words, and all others serve. */
    @Test
    void leavesOutRefusedServices() {
        ViewSyncer syncer = pass();
        kernel.missing.add(Proto.TCP);
        ServiceView bad = Samples.service(FAMILY, 1, 1);
        assertThat(syncer.run(NODE, now(bad)).result()).isInstanceOf(Result.Refused.class);
        assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
        SyncResult third = syncer.run(NODE, Map.of());
        inForce(third);
        assertThat(third.leftOut()).containsOnlyKeys(bad.key());
        kernel.missing.clear();
        inForce(syncer.run(NODE, now(bad)));
        assertThat(kernel.serving(clusterIp(1))).hasSize(1);
    }

    /** A change that adds a refused port takes nothing from the others. */
    @Test
    void otherPortsOfRefusedServicesServe() {
        ViewSyncer syncer = pass();
        kernel.missing.add(Proto.SCTP);
        ServiceView before = Samples.service(FAMILY, 1, 1);
        inForce(syncer.run(NODE, now(before)));
        kernel.made.clear();
        ServiceView after = withSctp(Samples.service(FAMILY, 1, 2));
        assertThat(syncer.run(NODE, now(after)).result()).isInstanceOf(Result.Refused.class);
        assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
        SyncResult third = syncer.run(NODE, Map.of());
        inForce(third);
        assertThat(third.leftOut()).containsOnlyKeys(before.key());
        assertThat(kernel.serving(clusterIp(1))).containsExactlyInAnyOrder(pod(1, 0), pod(1, 1));
        assertThat(kernel.addresses).contains(clusterIp(1).address());

        syncer.retryRefused();
        for (int sync = 0; sync < 3; sync++) {
            assertThat(syncer.run(NODE, Map.of()).leftOut().isEmpty()).isEqualTo(sync == 0);
        }
        assertThat(kernel.made)
                .noneMatch(step -> step instanceof Step.Release
                        || (step instanceof Step.Change change && change.change() instanceof IpvsChange.DeleteService));

        syncer.retryRefused();
        kernel.missing.clear();
        SyncResult taken = syncer.run(NODE, Map.of());
        inForce(taken);
        assertThat(taken.leftOut()).isEmpty();
        assertThat(kernel.servers).containsKey(new IpvsKey.At(clusterIp(1).address(), Proto.SCTP, 81));
    }

    private static ServiceView withSctp(ServiceView service) {
        PortView first = service.ports().getFirst();
        ServicePort sctp = new ServicePort(
                new ServicePortName(service.key(), "sctp", Proto.SCTP),
                first.port().clusterIp(),
                81,
                0,
                List.of(),
                List.of(),
                List.of(),
                first.port().affinity(),
                first.port().internalPolicy(),
                first.port().externalPolicy(),
                0);
        return new ServiceView(service.key(), service.family(), List.of(first, new PortView(sctp, first.endpoints())));
    }

    @Test
    void retriesWhenTheKernelDoesNotAnswer() {
        ViewSyncer syncer = pass();
        kernel.unreachable = Optional.of("gone");
        assertThat(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))).result())
                .isEqualTo(new Result.Unreachable("gone"));
        kernel.unreachable = Optional.empty();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.serving(clusterIp(1))).hasSize(1);
    }

    /** What was to be removed, or to take no new connections, may be gone already: nothing is refused. */
    @Test
    void whatAnotherProgramRemovedNeedsNoRemoval() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 3), Samples.service(FAMILY, 2, 1))));
        kernel.busy.add(pod(1, 2));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        kernel.destinationsOf(clusterIp(1)).remove(pod(1, 2));
        kernel.destinationsOf(clusterIp(1)).remove(pod(1, 1));
        now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        assertThat(kernel.destinationsOf(clusterIp(1))).containsOnlyKeys(pod(1, 0));
        now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(syncer.invalidateIfChanged()).isFalse();

        kernel.servers.remove(clusterIp(2));
        kernel.destinations.remove(clusterIp(2));
        inForce(syncer.run(NODE, Map.of(Samples.service(FAMILY, 2, 1).key(), Optional.empty())));
        assertThat(kernel.servers.keySet())
                .noneMatch(key -> key.address().equals(clusterIp(2).address()));
    }

    /** An endpoint that comes back has to be there: its absence is repaired, as is that of a server. */
    @Test
    void whatIsMissingAndWantedIsMadeAgain() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))));
        kernel.busy.add(pod(1, 1));
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        kernel.destinationsOf(clusterIp(1)).remove(pod(1, 1));
        assertThat(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))).result())
                .isInstanceOf(Result.Refused.class);
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.serving(clusterIp(1))).containsExactlyInAnyOrder(pod(1, 0), pod(1, 1));

        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        kernel.servers.remove(clusterIp(1));
        kernel.destinations.remove(clusterIp(1));
        now += IpvsSyncer.MAX_DRAIN_TIME.toNanos();
        assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.serving(clusterIp(1))).containsExactly(pod(1, 0));
    }

    /** Otherwise a foreign change of a rule that waits to be repaired would count as repaired. */
    @Test
    void aComparisonOfServersIsNoneOfRules() {
        ViewSyncer syncer = pass();
        inForce(syncer.run(NODE, now(Samples.service(FAMILY, 1, 1))));
        kernel.destinationsOf(clusterIp(1)).put(pod(1, 1), 1);
        assertThat(syncer.run(NODE, now(Samples.service(FAMILY, 1, 2))).result())
                .isInstanceOf(Result.Refused.class);
        SyncResult again = syncer.run(NODE, Map.of());
        inForce(again);
        assertThat(kernel.serving(clusterIp(1))).containsExactlyInAnyOrder(pod(1, 0), pod(1, 1));
        assertThat(again.comparedAll()).isFalse();
    }

    @Test
    void drainingDestinationsKeepDrainingAfterRestart() {
        IpvsKey.At key = clusterIp(1);
        kernel.servers.put(key, new IpvsService(key, "rr", 0, 0, 32));
        kernel.destinations.put(key, new HashMap<>(Map.of(pod(1, 0), 1, pod(1, 9), 0)));
        kernel.busy.add(pod(1, 9));
        inForce(pass().run(NODE, now(Samples.service(FAMILY, 1, 1))));
        assertThat(kernel.destinations.get(key)).containsEntry(pod(1, 9), 0);
    }
}
